; The language's own library, in its own text. Operators are generic functions; programs may add methods.
; %name is one of Kiln's intrinsics, a path such as CUDA.sync_threads a function of Julia's library, which
; the targets' overlays adapt: so a barrier is a barrier on a CPU and on a GPU.

; ---- numbers. Both operands have one type: nothing is converted that is not asked for, as (f32 i) does.
(define Whole (type (Union Signed Unsigned)))

(define (+ (x T) (y T)) :where ((T Whole)) (%add_int x y))
(define (- (x T) (y T)) :where ((T Whole)) (%sub_int x y))
(define (* (x T) (y T)) :where ((T Whole)) (%mul_int x y))
(define (- (x T)) :where ((T Whole)) (%neg_int x))
(define (+ (x T) (y T)) :where ((T AbstractFloat)) (%add_float x y))
(define (- (x T) (y T)) :where ((T AbstractFloat)) (%sub_float x y))
(define (* (x T) (y T)) :where ((T AbstractFloat)) (%mul_float x y))
(define (/ (x T) (y T)) :where ((T AbstractFloat)) (%div_float x y))
(define (- (x T)) :where ((T AbstractFloat)) (%neg_float x))
(define (+ x y z) (+ (+ x y) z))
(define (* x y z) (* (* x y) z))
(define (+ w x y z) (+ (+ w x) (+ y z)))
(define (quotient (x T) (y T)) :where ((T Whole)) (Base.div x y)) ; throws for 0
(define (remainder (x T) (y T)) :where ((T Whole)) (Base.rem x y))
(define (successor (x T)) :where ((T Whole)) (%add_int x (T 1)))

(define (= (x T) (y T)) :where ((T Whole)) (%eq_int x y))
(define (= (x bool) (y bool)) (%eq_int x y))
(define (= (x T) (y T)) :where ((T AbstractFloat)) (%eq_float x y))
(define (< (x T) (y T)) :where ((T Signed)) (%slt_int x y))
(define (< (x T) (y T)) :where ((T Unsigned)) (%ult_int x y))
(define (< (x T) (y T)) :where ((T AbstractFloat)) (%lt_float x y))
(define (<= x y) (not (< y x)))
(define (<= (x T) (y T)) :where ((T AbstractFloat)) (%le_float x y))
(define (> x y) (< y x))
(define (>= x y) (<= y x))
(define (not (x bool)) (%not_int x))
(define (min x y) (if (< y x) y x))
(define (max x y) (if (< x y) y x))
(define (abs x) (if (< x (- x)) (- x) x))
(define (abs (x T)) :where ((T AbstractFloat)) (%abs_float x))
(define (sqrt (x T)) :where ((T AbstractFloat)) (%sqrt_llvm x))
(define (truncate (T (Type I)) (x AbstractFloat)) :where ((I Signed)) (%fptosi T x)) ; undefined out of range

; 1 / sqrt(x), as fast as the target has it
(define (rsqrt (x f32)) (/ 1f (sqrt x)))
(overlay ptx
  (define (rsqrt (x f32)) (foreign "llvm.nvvm.rsqrt.approx.f" f32 (f32) x)))

; ---- errors
(define throw %throw_) ; a string, or a value of a type that is an Exception

; ---- arrays in a kernel: columns first, indices from 0, checked unless in (unchecked ...)
(define (length (a (Array T))) :where (T) (.len a))
(define (length (a (Array T 2))) :where (T) (.len a))
(define (rows (a (Array T 2))) :where (T) (%getfield (.dims a) 1))
(define (columns (a (Array T 2))) :where (T) (%getfield (.dims a) 2))
(define (check (i i64) (n i64))
  (when (not (%ult_int i n)) (throw (Base.BoundsError))))
(define (ref (a (Array T)) (i i64)) :where (T)
  (when (bounds-check) (check i (.len a)))
  (%pointer_load (.ptr a) i (val 0)))
(define (set-ref! (a (Array T)) (v T) (i i64)) :where (T)
  (when (bounds-check) (check i (.len a)))
  (%pointer_store (.ptr a) v i (val 0)))
(define (place (a (Array T 2)) (i i64) (j i64)) :where (T)
  (+ i (* j (rows a))))
(define (ref (a (Array T 2)) (i i64) (j i64)) :where (T)
  (when (bounds-check) (check i (rows a)) (check j (columns a)))
  (%pointer_load (.ptr a) (place a i j) (val 0)))
(define (set-ref! (a (Array T 2)) (v T) (i i64) (j i64)) :where (T)
  (when (bounds-check) (check i (rows a)) (check j (columns a)))
  (%pointer_store (.ptr a) v (place a i j) (val 0)))

; ---- threads, from 0
(define (thread) (i64 (- (CUDA.threadIdx_x) 1i)))
(define (block) (i64 (- (CUDA.blockIdx_x) 1i)))
(define (threads) (i64 (CUDA.blockDim_x)))
(define (blocks) (i64 (CUDA.gridDim_x)))
(define (index) ; of the thread in its grid
  (i64 (+ (* (- (CUDA.blockIdx_x) 1i) (CUDA.blockDim_x)) (- (CUDA.threadIdx_x) 1i))))
(define (each-index f (n i64)) ; f of every i below n, shared out among all threads of the grid
  (for (i (index) n (* (threads) (blocks))) (f i)))
(define (barrier) (CUDA.sync_threads))
(define (shared (T (Type E)) (n i64)) :where (E) (CUDA.CuStaticSharedArray T n)) ; n is a constant

(define (pointer (a (Array T)) (i i64)) :where (T)
  (when (bounds-check) (check i (.len a)))
  (%pointer_add (.ptr a) (* i (%sizeof_type T))))
(define (atomic-add! (a (Array T)) (i i64) (v T)) :where (T) (CUDA.atomic_add! (pointer a i) v))
(define (atomic-max! (a (Array T)) (i i64) (v T)) :where (T) (CUDA.atomic_max! (pointer a i) v))

; ---- arrays of the host, for expressions at top level
(define HostArray Core.Array)
(define (zeros T n) (Base.zeros T n))
(define (zeros T n m) (Base.zeros T n m))
(define (length (a HostArray)) (Base.length a))
(define (ref (a HostArray) (i i64)) (Base.getindex a (+ i 1)))
(define (ref (a HostArray) (i i64) (j i64)) (Base.getindex a (+ i 1) (+ j 1)))
(define (set-ref! (a HostArray) v (i i64)) (Base.setindex! a v (+ i 1)))
(define (set-ref! (a HostArray) v (i i64) (j i64)) (Base.setindex! a v (+ i 1) (+ j 1)))
(define (tabulate f T n) ; an array of f(0) ... f(n - 1)
  (let ((a (zeros T n)))
    (for (i 0 n) (set! (ref a i) (f i)))
    a))
(define (fold f start (a HostArray))
  (let ((sum start))
    (for (i 0 (length a)) (set! sum (f sum (ref a i))))
    sum))
