import { createMemo, Show } from 'solid-js';
import { removeQuotedOutput } from '../../src/base/output/chooseLastLines.ts';
import type { LastOutput as Output } from '../../src/contract/schema/session/lastOutput.ts';
import { LastOutput } from './LastOutput.tsx';
import { splitReason } from './plainText.ts';
import './foldedReason.css';

/** What failed, in a line; a program's output, such as a stack, is folded below. */
export function FoldedReason(props: {
  reason: string;
  /** What the agent wrote last, shown below in place of what the reason quotes of it. */
  output?: { jobId: string; last: Output | undefined; of?: string };
}) {
  const hasOutput = () => (props.output?.last?.lines.length ?? 0) > 0;
  const brief = createMemo(() =>
    splitReason(hasOutput() ? removeQuotedOutput(props.reason) : props.reason),
  );
  return (
    <div class="folded-reason" dir="auto">
      <bdi class="said">{brief().says}</bdi>
      <Show when={brief().rest}>
        {(rest) => (
          <details>
            <summary>Show all of it</summary>
            {/* In the tab order: a box that scrolls must be reachable by keyboard. */}
            <pre class="json" tabindex="0">
              {rest()}
            </pre>
          </details>
        )}
      </Show>
      <Show when={props.output}>
        {(output) => (
          <LastOutput
            jobId={output().jobId}
            output={output().last}
            {...(output().of === undefined ? {} : { of: output().of })}
          />
        )}
      </Show>
    </div>
  );
}
