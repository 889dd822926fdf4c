import { For, Show } from 'solid-js';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { Icon } from '../shell/controls/Icon.tsx';

const formatFindingCount = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? '' : 's'}`;

export function LintFindings(props: {
  findings: readonly Diagnostic[] | null;
  goTo: (finding: Diagnostic) => void;
}) {
  const errors = () => props.findings?.filter(({ severity }) => severity === 'error').length ?? 0;
  const warnings = () => (props.findings?.length ?? 0) - errors();
  const describeFindings = () =>
    props.findings === null
      ? 'Looking …'
      : props.findings.length === 0
        ? 'No findings'
        : `${formatFindingCount(errors(), 'error')}, ${formatFindingCount(warnings(), 'warning')}`;
  return (
    <section class="findings" aria-label="Findings">
      <p
        class="findings-count"
        role="status"
        classList={{ good: props.findings?.length === 0, bad: errors() > 0 }}
      >
        <Icon name={props.findings === null ? 'clock' : errors() > 0 ? 'warn' : 'check'} />{' '}
        {describeFindings()}
      </p>
      <Show when={(props.findings?.length ?? 0) > 0}>
        <ol class="plain">
          <For each={props.findings}>
            {(finding) => (
              <li>
                <button type="button" class="finding" onClick={() => props.goTo(finding)}>
                  <span class={`finding-kind ${finding.severity}`}>{finding.severity}</span>
                  <span class="finding-place">
                    {finding.line}:{finding.column}
                  </span>
                  <span class="finding-text">
                    {finding.message} <span class="muted">{finding.hint}</span>{' '}
                    <code>{finding.code}</code>
                  </span>
                </button>
              </li>
            )}
          </For>
        </ol>
      </Show>
    </section>
  );
}
