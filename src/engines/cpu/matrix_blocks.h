// matrix_blocks: the loops of matrix_loops.cc, included there for each kind of processor with its `Vector`.

/// How operands lie: as their strides say; where lists say, for each k; or copied, each as narrow as a block.
enum class Lies { strided, listed, copied };

/// Rows x vectors of c, all in registers while k runs. `part`: how many lanes of the last vector there are.
template <class T, int rows, int vectors, Lies lies>
void block(const MatrixProduct& m, const T* a, const T* b, T* c, int part, bool adds) {
  using V = Vector<T>;
  const bool whole = part == V::lanes;
  typename V::Type sum[rows][vectors];
#pragma GCC unroll 24
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 24
    for (int v = 0; v < vectors; ++v) {
      __builtin_prefetch(c + i * m.c_row + v * V::lanes, 1);
      sum[i][v] = V::repeat(T(0));
    }
  }
  const auto sum_up = [&](auto is_whole) {
    const T *column = a, *row = b;
#pragma GCC unroll 2
    for (std::int64_t k = 0; k < m.depth; ++k) {
      if constexpr (lies == Lies::listed) column = a + m.a_at[k], row = b + m.b_at[k];
      typename V::Type y[vectors];
#pragma GCC unroll 24
      for (int v = 0; v < vectors; ++v)
        y[v] =
            v + 1 < vectors || is_whole() ? V::load(row + v * V::lanes) : V::load(row + v * V::lanes, part);
      const T* four = column;  // the address of every fourth row; the three behind it are near
#pragma GCC unroll 24
      for (int i = 0; i < rows; ++i) {
        if (lies != Lies::copied && i && i % 4 == 0) four += 4 * m.a_row;
        const typename V::Type x = V::repeat(lies == Lies::copied ? column[i] : four[i % 4 * m.a_row]);
#pragma GCC unroll 24
        for (int v = 0; v < vectors; ++v) sum[i][v] = V::fma(x, y[v], sum[i][v]);
      }
      if constexpr (lies != Lies::listed) {
        column += lies == Lies::copied ? rows : m.a_depth;
        row += lies == Lies::copied ? vectors * V::lanes : m.b_depth;
      }
    }
  };
  if (lies == Lies::copied || whole)  // copies are whole
    sum_up(std::true_type());
  else
    sum_up(std::false_type());
  const auto is_part = [&](int v) { return v + 1 == vectors && !whole; };
  if (adds)
#pragma GCC unroll 24
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 24
      for (int v = 0; v < vectors; ++v) {
        const T* from = c + i * m.c_row + v * V::lanes;
        sum[i][v] += is_part(v) ? V::load(from, part) : V::load(from);
      }
#pragma GCC unroll 24
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 24
    for (int v = 0; v < vectors; ++v) {
      T* to = c + i * m.c_row + v * V::lanes;
      if (is_part(v))
        V::store(to, sum[i][v], part);
      else
        V::store(to, sum[i][v]);
    }
}

template <class T>
using Block = void (*)(const MatrixProduct&, const T*, const T*, T*, int part, bool adds);

/// The most rows of a block: as many as registers hold; eight vectors are for one row alone.
template <class T>
constexpr int most_rows(int vectors) {
  return vectors == 8 ? 1 : Vector<T>::rows_of(vectors);
}
/// Blocks by their number of rows, less one.
template <class T, int vectors, Lies lies>
constexpr auto blocks = []<int... n>(std::integer_sequence<int, n...>) {
  return std::array<Block<T>, sizeof...(n)>{block<T, n + 1, vectors, lies>...};
}
(std::make_integer_sequence<int, most_rows<T>(vectors)>());

/// Calls f(first row, rows) for as few blocks as can be, all of about the same height.
template <class T, class F>
void for_each_block(std::int64_t rows, int vectors, F f) {
  const int most = most_rows<T>(vectors);
  for (std::int64_t i = 0, left = (rows + most - 1) / most; left > 0; --left) {
    const std::int64_t now = (rows - i + left - 1) / left;
    f(i, now);
    i += now;
  }
}

/// Calls f(first column, vectors, part) for strips of `widest` vectors, then of 2 and 1.
template <class T, class F>
void for_each_strip(std::int64_t columns, int widest, F f) {
  constexpr int lanes = Vector<T>::lanes;
  for (std::int64_t j = 0; j < columns;) {
    const std::int64_t left = columns - j, there = (left + lanes - 1) / lanes;
    const int vectors = there >= widest ? widest : there >= 2 ? 2 : 1;
    f(j, vectors, static_cast<int>(left >= vectors * lanes ? lanes : left - (vectors - 1) * lanes));
    j += vectors * lanes;
  }
}

/// For strips of 1, 2 or, of one row, 8 vectors.
template <class T, Lies lies>
Block<T> block_of(int vectors, std::int64_t rows) {
  const auto i = static_cast<std::size_t>(rows - 1);
  if (vectors == 1) return blocks<T, 1, lies>[i];
  if constexpr (lies != Lies::copied)
    if (vectors == 8) return blocks<T, 8, lies>[0];
  return blocks<T, 2, lies>[i];
}

template <class T>
void as_they_lie(const MatrixProduct& all, const T* a, const T* b, T* c, bool adds) {
  std::int64_t k = 0;
  do {  // once at least, to write zeros
    MatrixProduct m = all;
    m.depth = std::min(all.depth - k, MatrixLoops<T>::deep);
    if (m.a_at) m.a_at += k, m.b_at += k;
    const T* const x = m.a_at ? a : a + k * m.a_depth;
    const T* const y = m.a_at ? b : b + k * m.b_depth;
    for_each_strip<T>(m.columns, m.rows == 1 ? 8 : 2, [&](std::int64_t j, int vectors, int part) {
      for_each_block<T>(m.rows, vectors, [&](std::int64_t i, std::int64_t rows) {
        const auto run =
            m.a_at ? block_of<T, Lies::listed>(vectors, rows) : block_of<T, Lies::strided>(vectors, rows);
        run(m, x + i * m.a_row, y + j, c + i * m.c_row + j, part, adds || k > 0);
      });
    });
    k += MatrixLoops<T>::deep;
  } while (k < all.depth);
}

// ---- copies

/// The rows of a square that is turned in registers of 16 bytes.
template <class T>
constexpr std::int64_t square = 16 / sizeof(T);

/// to[k, j] = from[j, k] for a square.
template <class T>
void turn_square(const T* from, std::int64_t stride, T* to, std::int64_t to_stride) {
  typedef T Row __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
  const auto row = [&](int j) { return *reinterpret_cast<const Row*>(from + j * stride); };
  const auto put = [&](int k, Row x) { *reinterpret_cast<Row*>(to + k * to_stride) = x; };
  const Row a = row(0), b = row(1);
  if constexpr (square<T> == 2) {
    put(0, __builtin_shufflevector(a, b, 0, 2)), put(1, __builtin_shufflevector(a, b, 1, 3));
  } else {
    const Row c = row(2), d = row(3);
    const Row ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
              ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
              cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    put(0, __builtin_shufflevector(ab, cd, 0, 1, 4, 5)), put(1, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    put(2, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    put(3, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
  }
}

/// to[k, j] = from[j, k]: what lies dense along k becomes rows of `width`.
template <class T>
void turn(const T* from, std::int64_t stride, std::int64_t count, std::int64_t depth, T* to,
          std::int64_t width) {
  const auto one = [&](std::int64_t j, std::int64_t k) { to[k * width + j] = from[j * stride + k]; };
  const auto squares = [&](std::int64_t j) {
    std::int64_t k = 0;
    for (; k + square<T> <= depth; k += square<T>)
      turn_square(from + j * stride + k, stride, to + k * width + j, width);
    for (; k < depth; ++k)
      for (std::int64_t l = 0; l < square<T>; ++l) one(j + l, k);
  };
  std::int64_t j = 0;
  for (; j + square<T> <= count; j += square<T>) squares(j);
  if (j < count && count >= square<T>)
    squares(count - square<T>);  // some of them once more
  else
    for (; j < count; ++j)
      for (std::int64_t k = 0; k < depth; ++k) one(j, k);
}

/// to[k, j] = from[j, k] with any strides, in rows of `width`. `there`: how many j may be read. What a vector
/// writes behind its row, the next one covers; the last row ends where it should.
template <class T>
void copy(const T* from, std::int64_t stride, std::int64_t k_stride, std::int64_t count, std::int64_t there,
          std::int64_t depth, T* to, std::int64_t width) {
  using V = Vector<T>;
  if (stride != 1 && k_stride == 1) return turn(from, stride, count, depth, to, width);
  for (std::int64_t k = 0; k < depth; ++k, from += k_stride, to += width) {
    if (stride != 1) {
      for (std::int64_t j = 0; j < count; ++j) to[j] = from[j * stride];
      continue;
    }
    for (std::int64_t j = 0; j < count; j += V::lanes) {
      const bool whole = j + V::lanes <= (k + 1 < depth ? there : count);
      const int part = static_cast<int>(std::min<std::int64_t>(count - j, V::lanes));
      if (whole)
        V::store(to + j, V::load(from + j));
      else
        V::store(to + j, V::load(from + j, part), part);
    }
  }
}

template <class T>
void turned(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  T rows[most_turned];
  turn(b, m.b_column, m.columns, m.depth, rows, m.columns);
  MatrixProduct now = m;
  now.b_depth = m.columns, now.b_column = 1;
  as_they_lie(now, a, rows, c, adds);
}

template <class T>
void dots(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  using V = Vector<T>;
  constexpr int chains = 4;
  for (std::int64_t i = 0; i < m.rows; ++i) {
    const T* x = a + i * m.a_row;
    typename V::Type sum[chains];
    for (auto& s : sum) s = V::repeat(T(0));
    std::int64_t k = 0;
    for (; k + chains * V::lanes <= m.depth; k += chains * V::lanes)
#pragma GCC unroll 24
      for (int s = 0; s < chains; ++s)
        sum[s] = V::fma(V::load(x + k + s * V::lanes), V::load(b + k + s * V::lanes), sum[s]);
    for (; k < m.depth; k += V::lanes) {
      const int left = static_cast<int>(m.depth - k < V::lanes ? m.depth - k : V::lanes);
      sum[0] = V::fma(V::load(x + k, left), V::load(b + k, left), sum[0]);
    }
    T lane[V::lanes];
    V::store(lane, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (int n = V::lanes / 2; n > 0; n /= 2)
      for (int l = 0; l < n; ++l) lane[l] += lane[l + n];
    T& to = c[i * m.c_row];
    to = adds ? to + lane[0] : lane[0];
  }
}

// ---- large matrices

/// The columns of b that are copied together: with `deep` of k, they take half a megabyte.
template <class T>
constexpr std::int64_t panel = 2048 / sizeof(T);

/// What lies a multiple of 2 KiB apart meets in few sets of the first cache.
template <class T>
bool meet_in_cache(std::int64_t stride) {
  return stride * static_cast<std::int64_t>(sizeof(T)) % 2048 == 0;
}

template <class T>
std::int64_t whole_vectors(std::int64_t columns) {
  return (columns + Vector<T>::lanes - 1) / Vector<T>::lanes * Vector<T>::lanes;
}

template <class T>
std::int64_t scratch(const MatrixProduct& m) {
  return (whole_vectors<T>(std::min(m.columns, panel<T>)) + most_rows<T>(1)) *
         std::min(m.depth, MatrixLoops<T>::deep);
}

/// The columns of b strip after strip, each with all of k; zeros where the last one is too wide.
template <class T>
void copy_panel(const MatrixProduct& m, const T* b, T* to) {
  using V = Vector<T>;
  constexpr std::int64_t strip = 2 * V::lanes;
  const std::int64_t whole = m.b_column == 1 ? m.columns / strip * strip : 0;
  for (std::int64_t k = 0; k < m.depth; ++k)  // along the rows, since columns may meet in the cache
    for (std::int64_t j = 0; j < whole; j += strip) {
      const T* from = b + k * m.b_depth + j;
      T* row = to + j * m.depth + k * strip;
      V::store(row, V::load(from)), V::store(row + V::lanes, V::load(from + V::lanes));
    }
  for_each_strip<T>(m.columns - whole, 2, [&](std::int64_t n, int vectors, int) {
    const std::int64_t j = whole + n, width = vectors * V::lanes, count = std::min(width, m.columns - j);
    if (count < width) std::fill_n(to + j * m.depth, width * m.depth, T(0));
    copy(b + j * m.b_column, m.b_column, m.b_depth, count, count, m.depth, to + j * m.depth, width);
  });
}

template <class T>
void packed(const MatrixProduct& all, const T* a, const T* b, T* c, bool adds, T* scratch) {
  const bool copies_a = all.a_depth != 1 || meet_in_cache<T>(all.a_row);
  const int widest = all.columns > Vector<T>::lanes ? 2 : 1;
  for (std::int64_t j = 0; j < all.columns; j += panel<T>)
    for (std::int64_t k = 0; k < all.depth; k += MatrixLoops<T>::deep) {
      MatrixProduct m = all;
      m.columns = std::min(all.columns - j, panel<T>);
      m.depth = std::min(all.depth - k, MatrixLoops<T>::deep);
      copy_panel(m, b + k * m.b_depth + j * m.b_column, scratch);
      T* const copy_of_a = scratch + whole_vectors<T>(m.columns) * m.depth;
      MatrixProduct in_strip = m;
      for_each_block<T>(m.rows, widest, [&](std::int64_t i, std::int64_t rows) {
        const T* from = a + i * m.a_row + k * m.a_depth;
        if (copies_a) copy(from, m.a_row, m.a_depth, rows, m.rows - i, m.depth, copy_of_a, rows);
        for_each_strip<T>(m.columns, 2, [&](std::int64_t n, int vectors, int part) {
          const auto run =
              copies_a ? block_of<T, Lies::copied>(vectors, rows) : block_of<T, Lies::strided>(vectors, rows);
          in_strip.b_depth = vectors * Vector<T>::lanes;
          run(in_strip, copies_a ? copy_of_a : from, scratch + n * m.depth, c + i * m.c_row + j + n, part,
              adds || k > 0);
        });
      });
    }
}
