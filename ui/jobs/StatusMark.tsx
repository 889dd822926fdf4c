import { TONE_NAMES, type Tone } from './jobText.ts';

const DRAWN: Readonly<Record<Tone, string>> = {
  'needs-you': 'M8 4.5v4.25M8 11.4h.01',
  working: 'M8 4.25V8l2.5 1.75',
  queued: '',
  waiting: 'M6.4 5.75v4.5M9.6 5.75v4.5',
  bad: 'M5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5',
  partial: 'M8 4.5v4.25M8 11.4h.01',
  good: 'M5 8.25 7.1 10.4 11 5.9',
  over: 'M5 8h6',
};

/** The mark of a job's tone: a form for each, so that colour is not needed to tell them apart. */
export function StatusMark(props: { tone: Tone }) {
  return (
    <svg
      class={`status-mark ${props.tone}`}
      viewBox="0 0 16 16"
      role="img"
      aria-label={TONE_NAMES[props.tone]}
    >
      <circle cx="8" cy="8" r="6.25" />
      <path d={DRAWN[props.tone]} />
    </svg>
  );
}
