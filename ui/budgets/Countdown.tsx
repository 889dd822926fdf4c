import { useSeconds } from '../jobs/page/useSeconds.ts';
import { formatDuration, formatTimeWithDay } from '../jobs/jobText.ts';

/** How long it is until a time (ISO), of every second, and the time itself: `2 h 13 min (14:03:00)`. */
export function Countdown(props: { until: string }) {
  const computeRemaining = () => Date.parse(props.until) - now();
  const now = useSeconds(() => true);
  return (
    // A screen reader must not read the countdown aloud every second.
    <span role="timer" class="countdown">
      {computeRemaining() > 0
        ? formatDuration(Math.ceil(computeRemaining() / 1_000) * 1_000)
        : 'a moment'}{' '}
      (<time datetime={props.until}>{formatTimeWithDay(props.until, now())}</time>)
    </span>
  );
}
