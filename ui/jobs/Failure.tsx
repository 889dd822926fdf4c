import { type JSX, Show } from 'solid-js';
import { removeQuotedOutput } from '../../src/base/output/chooseLastLines.ts';
import type { LastOutput as Output } from '../../src/contract/schema/session/lastOutput.ts';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { FoldedReason } from './FoldedReason.tsx';
import { LastOutput } from './LastOutput.tsx';
import { SinceSuccessFacts } from './SinceSuccessFacts.tsx';
import './failure.css';

/**
 * Something that failed, wherever it is shown: why, the last output of its agent with the exit code
 * and the first error, what changed since a phase last succeeded, and what can be done about it.
 */
export function Failure(props: {
  /** Whose log and files they are. */
  jobId: string;
  /** Null: the page has said it above. */
  reason: string | null;
  output: Output | undefined;
  /** What failed, where a page shows more than one failure. */
  of?: string;
  /** The answers that are possible. */
  children?: JSX.Element;
}) {
  const hasOutput = () => (props.output?.lines.length ?? 0) > 0;
  return (
    <div class="failure">
      <Show when={props.reason}>
        {(reason) => (
          // The output below is what the reason quotes.
          <FoldedReason reason={hasOutput() ? removeQuotedOutput(reason()) : reason()} />
        )}
      </Show>
      <LastOutput
        jobId={props.jobId}
        output={props.output}
        {...(props.of === undefined ? {} : { of: props.of })}
      />
      <IfOffered to="sinceSuccess">
        <SinceSuccessFacts jobId={props.jobId} />
      </IfOffered>
      {props.children}
    </div>
  );
}
