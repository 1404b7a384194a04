// small_product_loops: the loops of small_product.cc, included there for each kind of processor with its
// `Vector`.

/// Rows x vectors of c, all in registers while k runs. `part`: how many lanes of the last vector there are.
template <class T, int rows, int vectors, bool scattered>
void block(const MatrixProduct& m, const T* a, const T* b, T* c, int part, bool adds) {
  using V = Vector<T>;
  typename V::Type sum[rows][vectors];
  const bool whole = part == V::lanes;
  const auto load = [&](const T* from, int v) {
    return v + 1 < vectors || whole ? V::load(from + v * V::lanes) : V::load(from + v * V::lanes, part);
  };
#pragma GCC unroll 24
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 24
    for (int v = 0; v < vectors; ++v) sum[i][v] = adds ? load(c + i * m.c_row, v) : V::repeat(T(0));
  const auto sum_up = [&](auto is_whole) {
    const T *column = a, *row = b;
    for (std::int64_t k = 0; k < m.depth; ++k) {
      if constexpr (scattered) column = a + m.a_at[k], row = b + m.b_at[k];
      typename V::Type y[vectors];
#pragma GCC unroll 24
      for (int v = 0; v < vectors; ++v)
        y[v] =
            v + 1 < vectors || is_whole() ? V::load(row + v * V::lanes) : V::load(row + v * V::lanes, part);
      const T* four = column;  // the address of every fourth row; the three behind it are near
#pragma GCC unroll 24
      for (int i = 0; i < rows; ++i) {
        if (i && i % 4 == 0) four += 4 * m.a_row;
        const typename V::Type x = V::repeat(four[i % 4 * m.a_row]);
#pragma GCC unroll 24
        for (int v = 0; v < vectors; ++v) sum[i][v] = V::fma(x, y[v], sum[i][v]);
      }
      if constexpr (!scattered) column += m.a_depth, row += m.b_depth;
    }
  };
  if (whole)
    sum_up(std::true_type());
  else
    sum_up(std::false_type());
#pragma GCC unroll 24
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 24
    for (int v = 0; v < vectors; ++v) {
      T* to = c + i * m.c_row + v * V::lanes;
      if (v + 1 < vectors || whole)
        V::store(to, sum[i][v]);
      else
        V::store(to, sum[i][v], part);
    }
}

/// The rows in as few blocks as can be, all of about the same height.
template <class T, int vectors>
void strip(const MatrixProduct& m, const T* a, const T* b, T* c, int part, bool adds) {
  constexpr int most = vectors == 8 ? 1 : Vector<T>::rows_of(vectors);
  using Block = void (*)(const MatrixProduct&, const T*, const T*, T*, int, bool);
  static constexpr auto blocks = []<int... n>(std::integer_sequence<int, n...>) {
    return std::array<std::array<Block, sizeof...(n)>, 2>{
        {{block<T, n + 1, vectors, false>...}, {block<T, n + 1, vectors, true>...}}};
  }
  (std::make_integer_sequence<int, most>());
  const auto& by_rows = blocks[m.a_at ? 1 : 0];
  for (std::int64_t i = 0, left = (m.rows + most - 1) / most; left > 0; --left) {
    const std::int64_t rows = (m.rows - i + left - 1) / left;
    by_rows[static_cast<std::size_t>(rows - 1)](m, a + i * m.a_row, b, c + i * m.c_row, part, adds);
    i += rows;
  }
}

/// to[k, j] = from[j, k]: the columns of a matrix that lie dense become rows.
template <class T>
void turn(const T* from, std::int64_t stride, std::int64_t columns, std::int64_t depth, T* to) {
  constexpr int side = 4;
  std::int64_t j = 0;
  for (; j + side <= columns; j += side)
    for (std::int64_t k = 0; k < depth; ++k)
#pragma GCC unroll 24
      for (int l = 0; l < side; ++l) to[k * columns + j + l] = from[(j + l) * stride + k];
  for (; j < columns; ++j)
    for (std::int64_t k = 0; k < depth; ++k) to[k * columns + j] = from[j * stride + k];
}

template <class T>
void matrices(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  constexpr int lanes = Vector<T>::lanes;
  for (std::int64_t j = 0; j < m.columns;) {
    const std::int64_t left = m.columns - j, vectors = (left + lanes - 1) / lanes;
    const auto part = [&](std::int64_t n) {
      return static_cast<int>(left >= n * lanes ? lanes : left - (n - 1) * lanes);
    };
    if (m.rows == 1 && vectors >= 8)
      strip<T, 8>(m, a, b + j, c + j, part(8), adds), j += 8 * lanes;
    else if (vectors >= 2)
      strip<T, 2>(m, a, b + j, c + j, part(2), adds), j += 2 * lanes;
    else
      strip<T, 1>(m, a, b + j, c + j, part(1), adds), j += lanes;
  }
}

template <class T>
void turned_matrices(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  T turned[most_turned];
  turn(b, m.b_column, m.columns, m.depth, turned);
  MatrixProduct now = m;
  now.b_depth = m.columns, now.b_column = 1;
  matrices(now, a, turned, c, adds);
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
