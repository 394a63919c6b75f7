// A few bars, and a mark where the operation is.

type Props = { bounds: readonly number[]; counts: readonly number[]; mark: number };

export function MiniHistogram({ bounds, counts, mark }: Props) {
  const most = Math.max(1, ...counts);
  const bin = counts.findIndex((_, n) => mark < (bounds[n + 1] ?? Infinity));
  const width = 100 / Math.max(1, counts.length);
  return (
    <svg class="mini" viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label="Distribution of operations of this kind over duration">
      {counts.map((value, n) => {
        const height = value === 0 ? 0 : Math.max(1, (28 * Math.log2(1 + value)) / Math.log2(1 + most));
        return <rect key={n} class={n === bin ? "here" : "other"} x={n * width} y={30 - height} width={width * 0.85} height={height} />;
      })}
    </svg>
  );
}
