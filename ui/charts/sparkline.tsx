/** One small bar for each day. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  const width = 8;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${values.length * width} 18`}
      width={values.length * width}
      height="18"
      role="img"
    >
      <title>{`${label}: ${values.join(", ")}`}</title>
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * 18);
        return <rect key={index} x={index * width} y={18 - height} width={width - 2} height={height} />;
      })}
    </svg>
  );
}
