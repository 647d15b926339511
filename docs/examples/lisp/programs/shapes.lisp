; Types, dispatch, generic structs, closures over values.
(abstract Shape)
(struct Circle :is Shape (radius f32))
(struct Square :is Shape (side f32))
(struct (Scaled S) :is Shape (shape S) (factor f32))

(define (area (s Circle)) (* 3.1415927f (.radius s) (.radius s)))
(define (area (s Square)) (* (.side s) (.side s)))
(define (area (s (Scaled S))) :where (S) (* (area (.shape s)) (* (.factor s) (.factor s))))
(define (name (s Shape)) "a shape")
(define (name (s Circle)) "a circle")

; The program's own number type, with operators of its own.
(struct Complex32 (re f32) (im f32))
(define (+ (a Complex32) (b Complex32)) (Complex32 (+ (.re a) (.re b)) (+ (.im a) (.im b))))
(define (* (a Complex32) (b Complex32))
  (Complex32 (- (* (.re a) (.re b)) (* (.im a) (.im b))) (+ (* (.re a) (.im b)) (* (.im a) (.re b)))))
(define (norm2 (a Complex32)) (+ (* (.re a) (.re a)) (* (.im a) (.im a))))

(kernel (map! (out (Array T)) f (x (Array U))) :where (T U)
  (each-index (lambda (i) (set! (ref out i) (f (ref x i)))) (length out)))

(define sides (tabulate f32 f32 64))
(define areas (zeros f32 64))
(launch map! 2 32 areas (lambda (x) (area (Scaled (Square x) 2f))) sides)
(print (ref areas 3) (area (Scaled (Circle 1f) 2f)) (name (Circle 1f)) (name (Square 1f)))

; How long z = z*z + c stays small: a loop with a struct in it.
(define (steps (c Complex32))
  (let ((z (Complex32 0f 0f)) (n 0))
    (while (and (< n 100) (< (norm2 z) 4f))
      (set! z (+ (* z z) c))
      (set! n (+ n 1)))
    n))
(define counts (zeros i64 64))
(let ((scale 0.0625f)) ; held by the closure
  (launch map! 1 64 counts (lambda (x) (steps (Complex32 (- (* x scale) 2f) 0.3f))) sides))
(print counts)
