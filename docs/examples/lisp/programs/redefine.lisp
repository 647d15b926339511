; A kernel calls what its functions are when it is launched: definitions may change at any time.
(define (rule x) (+ x 1))
(kernel (apply-rule! (y (Array i64))) (each-index (lambda (i) (set! (ref y i) (rule (ref y i)))) (length y)))
(define y (zeros i64 4))
(launch apply-rule! 1 4 y)
(print y)
(define (rule x) (* x 10))
(launch apply-rule! 1 4 y)
(print y)
(define (rule (x i64)) (- x 3)) ; more specific: chosen from now on
(launch apply-rule! 1 4 y)
(print y)
; In kernels alone, on every device: an overlay.
(overlay kernels (define (rule (x i64)) (+ x 100)))
(launch apply-rule! 1 4 y)
(print y (rule 5))
; What a GPU's own overlay in the library does better: 1/sqrt by one instruction.
(kernel (root! (y (Array f32))) (let ((i (index))) (set! (ref y i) (rsqrt (ref y i)))))
(define z (tabulate (lambda (i) (f32 (+ 1 i))) f32 4))
(launch root! 1 4 z)
(print (< (abs (- (ref z 3) 0.5f)) 0.000001f))
