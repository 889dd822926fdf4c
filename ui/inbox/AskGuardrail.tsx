import { createResource, Show } from 'solid-js';
import { saidBy, wantedText } from '../guardrails/guardrailText.ts';
import { plainReason } from '../jobs/plainText.ts';
import { CommandRow } from '../shell/CommandRow.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/Icon.tsx';
import { usePageKeys } from '../shell/pageKeys.ts';
import { ReplyForm } from '../shell/ReplyForm.tsx';
import { hashOf } from '../shell/router.ts';
import { shownText } from '../shell/shownText.ts';
import type { AskProps } from './askProps.ts';
import { OpenChanges } from './OpenChanges.tsx';

/** A job that a rule made wait: which, what was wanted, and the answers to it. */
export function AskGuardrail(props: AskProps & { rule: string }) {
  let reply: HTMLDivElement | undefined;
  const { client } = useDashboard();
  const [found] = createResource(
    () => `${props.job.id} ${props.job.updatedAt}`,
    async () => {
      const asked = { job: props.job.id, rule: props.rule, result: 'park' } as const;
      const { decisions } = await client.guardrailDecisions(asked);
      return decisions.find(({ allowed }) => allowed === null) ?? null;
    },
  );
  usePageKeys(() => [
    {
      keys: ['r'],
      says: 'Reply',
      does: { do: () => reply?.querySelector('textarea')?.focus() },
    },
  ]);
  return (
    <>
      <h2 class="question">
        The guardrail <bdi>{props.rule}</bdi> stopped the job
      </h2>
      <Show
        when={found.latest}
        fallback={
          <p class="said" dir="auto">
            {plainReason(props.job.parked?.reason ?? '')}
          </p>
        }
      >
        {(decision) => (
          <>
            <p class="said" dir="auto">
              {shownText(saidBy(decision()))}
            </p>
            <p>
              Wanted: <bdi>{shownText(wantedText(decision()))}</bdi>.{' '}
              <a href={hashOf(['guardrails'], { rule: props.rule })}>The rule</a>
            </p>
          </>
        )}
      </Show>
      <div class="decision-bar">
        <CommandRow>
          <Show when={found.latest}>
            {(decision) => (
              <button
                type="button"
                class="primary"
                onClick={() =>
                  void props.command('Allowed; the job continues.', (sending) =>
                    sending.allowGuardrail(props.job.id, {
                      rule: props.rule,
                      decision: decision().id,
                    }),
                  )
                }
              >
                <Icon name="check" /> Allow this for this job
              </button>
            )}
          </Show>
          <button
            type="button"
            onClick={() =>
              void props.command('Resumed.', (sending) =>
                sending.resume(props.job.id, { eventKey: 'manual-resume' }),
              )
            }
          >
            <Icon name="play" /> Continue without it
          </button>
        </CommandRow>
      </div>
      <div ref={reply}>
        <ReplyForm
          label="What should it do instead?"
          says="Send and continue"
          rows={2}
          draft={{ job: props.job.id, field: 'answer' }}
          send={(text) =>
            props.command('Message sent; the phase runs again.', (sending) =>
              sending.message(props.job.id, { message: text }),
            )
          }
        />
      </div>
      <OpenChanges job={props.job} />
    </>
  );
}
