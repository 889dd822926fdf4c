import { toBudgetMark, computeSpentShare } from './budgetText.ts';

export function SpentBar(props: { spent: number; held: number; cap: number }) {
  const spentShare = () => Math.min(1, computeSpentShare(props));
  const heldShare = () => Math.min(1 - spentShare(), props.cap > 0 ? props.held / props.cap : 0);
  return (
    <svg
      class={`spent-bar ${toBudgetMark(props)}`}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="held" x={spentShare() * 100} width={heldShare() * 100} height="8" />
      <rect class="used" width={spentShare() * 100} height="8" />
      <path class="near-line" d="M80 0v8" />
    </svg>
  );
}
