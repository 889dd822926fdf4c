import { createSignal, For, Match, Show, Suspense, Switch } from 'solid-js';
import type { Client } from '../../src/client/client.ts';
import type { Job } from '../../src/schema/job.ts';
import { Icon } from '../shell/Icon.tsx';
import { hashOf, jobHash } from '../shell/router.ts';
import { Covers } from './Covers.tsx';
import { OpenChanges } from './OpenChanges.tsx';
import { Shown } from './Shown.tsx';
import { ReplyForm } from '../shell/ReplyForm.tsx';

interface AskCardProps {
  job: Job;
  /** True where the job takes such an event now. */
  can: (event: string) => boolean;
  command: (says: string, send: (client: Client) => Promise<unknown>) => Promise<boolean>;
}

/** The question that a job asks a person, what was shown for it, and the buttons that answer it. */
export function AskCard(props: AskCardProps) {
  const [busy, setBusy] = createSignal(false);
  const [seen, setSeen] = createSignal<string | null>(null);
  const once = async (says: string, send: (client: Client) => Promise<unknown>) => {
    setBusy(true);
    await props.command(says, send);
    setBusy(false);
  };
  const id = () => props.job.id;
  const approve = () => {
    // The hash of what is on the screen goes along: what was changed meanwhile is not approved.
    const shown = seen();
    if (shown === null) return;
    return once('Approved.', (client) => client.resume(id(), { eventKey: 'approve', shown }));
  };
  const resume = () =>
    once('Resumed.', (client) => client.resume(id(), { eventKey: 'manual-resume' }));
  const message = (says: string) => (text: string) =>
    props.command(says, (client) => client.message(id(), { message: text }));
  const open = () => props.job.workItems.filter(({ status }) => status !== 'complete');
  const failedParts = () =>
    props.job.subRuns.filter(({ status }) => status === 'failed' || status === 'escalated');

  return (
    <div class="ask stack">
      <Switch>
        <Match when={props.job.approval}>
          {(approval) => (
            <>
              <h2>Approve phase {approval().phase}?</h2>
              {/* With a boundary of its own: what is being typed elsewhere on the page must not lose the focus. */}
              <Suspense fallback={<p class="muted">Loading the plan …</p>}>
                <Shown job={props.job} onSeen={setSeen} />
              </Suspense>
              <Covers job={props.job} approval={approval()} />
              <OpenChanges job={props.job} />
              <div class="row">
                <button
                  type="button"
                  class="primary"
                  disabled={busy() || seen() === null}
                  onClick={approve}
                >
                  <Icon name="check" /> Approve
                </button>
              </div>
              <ReplyForm
                label="What should change?"
                says="Request changes"
                draft={{ job: id(), field: 'changes' }}
                send={message('Changes requested.')}
              />
            </>
          )}
        </Match>
        <Match when={props.job.parked?.kind === 'halted'}>
          <h2>The campaign needs a decision</h2>
          <p>{props.job.parked?.reason}</p>
          <ul class="plain stack">
            <For each={failedParts()}>
              {({ name, reason }) => (
                <li class="row">
                  <strong>{name}</strong> <span class="muted grow">{reason}</span>
                  <button
                    type="button"
                    disabled={busy()}
                    onClick={() =>
                      once(`${name} runs again.`, (client) => client.rerunSubRun(id(), name))
                    }
                  >
                    <Icon name="redo" /> Rerun {name}
                  </button>
                  <button
                    type="button"
                    disabled={busy()}
                    onClick={() =>
                      once(`${name} skipped.`, (client) => client.skipSubRun(id(), name))
                    }
                  >
                    Skip {name}
                  </button>
                </li>
              )}
            </For>
          </ul>
          <a class="button" href={jobHash(id(), 'campaign')}>
            <Icon name="graph" /> Open the campaign
          </a>
        </Match>
        <Match when={props.job.parked?.kind === 'external'}>
          <h2>The job waits for something outside svc</h2>
          <p class="said">{props.job.parked?.reason}</p>
          <ReplyForm
            label="What happened?"
            says="Send to the job"
            draft={{ job: id(), field: 'answer' }}
            send={message('Answer sent.')}
          />
          <button type="button" class="self-start" disabled={busy()} onClick={resume}>
            <Icon name="play" /> Done: resume
          </button>
        </Match>
        <Match when={props.job.parked?.kind === 'developer'}>
          <h2>The job needs a developer</h2>
          <p class="said">{props.job.escalationMessage ?? props.job.parked?.reason}</p>
          <Show
            when={
              props.job.escalationMessage !== null &&
              props.job.parked?.reason !== props.job.escalationMessage
            }
          >
            <p class="muted">{props.job.parked?.reason}</p>
          </Show>
          <Show when={open().length > 0}>
            <p class="muted">
              Open work items:{' '}
              {open()
                .map(({ title }) => title)
                .join(', ')}
            </p>
          </Show>
          <OpenChanges job={props.job} />
          <ReplyForm
            label="Answer"
            says="Answer and continue"
            draft={{ job: id(), field: 'answer' }}
            send={message('Answer sent.')}
          />
          <button type="button" class="self-start" disabled={busy()} onClick={resume}>
            <Icon name="play" /> Continue without an answer
          </button>
        </Match>
        <Match when={props.job.ended}>
          <h2>{props.job.status === 'failed' ? 'The job failed' : 'The agent asks for help'}</h2>
          <p class="said">{props.job.escalationMessage ?? 'No reason given. See the log.'}</p>
          <div class="row">
            <Show when={props.can('job.resume')}>
              <button type="button" class="primary" disabled={busy()} onClick={resume}>
                <Icon name="play" /> Resume
              </button>
            </Show>
            <Show when={props.can('job.rerun') && props.job.phases.at(-1)}>
              {(last) => (
                <button
                  type="button"
                  disabled={busy()}
                  onClick={() =>
                    once(`Phase ${last().phase} runs again.`, (client) =>
                      client.rerun(id(), last().phase),
                    )
                  }
                >
                  <Icon name="redo" /> Rerun {last().phase}
                </button>
              )}
            </Show>
            <a class="button" href={hashOf(['new'], { from: id() })}>
              <Icon name="plus" /> Run again with changes
            </a>
            <a class="button" href={jobHash(id(), 'log')}>
              Read the log
            </a>
          </div>
        </Match>
      </Switch>
    </div>
  );
}
