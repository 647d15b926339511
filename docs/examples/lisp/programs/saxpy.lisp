; y = a*x + y, on as many threads as the launch has; the element type is whatever the arrays have.
(kernel (saxpy (y (Array T)) (x (Array T)) (a T)) :where (T)
  (let ((i (index)))
    (when (< i (length y))
      (unchecked (set! (ref y i) (+ (* a (ref x i)) (ref y i)))))))

(define x (tabulate (lambda (i) (* 0.5f (f32 i))) f32 1000))
(define y (tabulate (lambda (i) (f32 (remainder i 7))) f32 1000))
(launch saxpy 4 256 y x 2f)
(print (ref y 0) (ref y 1) (ref y 999))
(print (fold + 0f y))
