import { createEffect, createResource, createSignal, For, on, Show } from 'solid-js';
import type { Client } from '../../../src/client/client.ts';
import type { PrMapping } from '../../../src/schema/pr.ts';
import { ReplyForm } from '../../shell/ReplyForm.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/Icon.tsx';
import { Markdown } from '../../shell/Markdown.tsx';
import { nowForAges } from '../../shell/now.ts';
import { Problem } from '../../shell/Problem.tsx';
import { lineComment } from './diff.ts';
import { age } from '../jobText.ts';
import { useJob } from '../page/jobView.ts';
import { DiffView } from './DiffView.tsx';

/**
 * A pull request of the local forge: its text, its comments, its changes, and
 * what to do with it.
 */
export function PullRequestView(props: { pr: PrMapping }) {
  const { client } = useDashboard();
  const { job, command } = useJob();
  const [busy, setBusy] = createSignal(false);
  const { repo, number } = props.pr;
  const [thread, { refetch: readThread }] = createResource(() => client.pullRequest(repo, number));
  const [diff, { refetch: readDiff }] = createResource(() => client.pullRequestDiff(repo, number));
  // Whatever happens to the job may be about the pull request.
  createEffect(
    on(
      () => job().updatedAt,
      () => {
        void readThread();
        void readDiff();
      },
      { defer: true },
    ),
  );

  const act = async (says: string, send: (to: Client) => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    const taken = await command(says, send);
    setBusy(false);
    void readThread();
    return taken;
  };
  const comment = (body: string) =>
    act('Comment posted.', (to) => to.commentPullRequest(repo, number, { body }));
  const message = (text: string) =>
    act('Message sent.', (to) => to.message(job().id, { message: text }));
  const isOpen = () => (thread.latest?.state ?? props.pr.state) === 'open';

  return (
    <>
      <section class="card pr">
        <div class="card-head">
          <Icon name="merge" />
          <h2>{thread.latest?.title ?? props.pr.title}</h2>
          <span class={`pill ${props.pr.state === 'merged' ? 'good' : isOpen() ? 'working' : ''}`}>
            {props.pr.state}
          </span>
        </div>
        <p class="muted">
          <code>{props.pr.head}</code> into <code>{props.pr.base}</code> · {repo}#{number}
          <Show when={(thread.latest?.approvals.length ?? 0) > 0}>
            {' '}
            · approved by {thread.latest?.approvals.join(', ')}
          </Show>
        </p>
        <Show when={thread.error}>
          {(error) => <Problem error={error()} retry={() => void readThread()} />}
        </Show>
        <Show when={thread.latest?.body}>{(body) => <Markdown text={body()} />}</Show>
        <Show when={isOpen()}>
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={busy() || thread.latest?.mergeable === false}
              onClick={() => void act('Merged.', (to) => to.mergePullRequest(repo, number))}
            >
              <Icon name="merge" /> Merge
            </button>
            <button
              type="button"
              disabled={busy()}
              onClick={() => void act('Approved.', (to) => to.approvePullRequest(repo, number))}
            >
              <Icon name="check" /> Approve
            </button>
            <Show when={thread.latest?.mergeable === false}>
              <span class="muted">
                It cannot be merged in this state: ask the job to update the branch.
              </span>
            </Show>
          </div>
        </Show>
        <ul class="plain comments">
          <For each={thread.latest?.thread ?? []}>
            {(said) => (
              <li>
                <p>
                  <strong>{said.author}</strong> <small>{age(said.at, nowForAges())}</small>
                </p>
                <Markdown text={said.body} />
              </li>
            )}
          </For>
        </ul>
        <Show when={isOpen()}>
          <ReplyForm
            label="Comment on the pull request"
            says="Comment"
            rows={2}
            draft={{ job: job().id, field: `comment ${props.pr.prId}` }}
            send={comment}
          />
        </Show>
      </section>
      <Show when={diff.error}>
        {(error) => <Problem error={error()} retry={() => void readDiff()} />}
      </Show>
      <Show
        when={diff.latest}
        fallback={
          <Show when={diff.loading}>
            <p class="muted">Loading the changes …</p>
          </Show>
        }
      >
        {(text) => (
          <DiffView
            text={text()}
            onComment={
              isOpen()
                ? {
                    forge: (path, line, said) => comment(lineComment(path, line, said)),
                    job: (path, line, said) => message(lineComment(path, line, said)),
                  }
                : null
            }
          />
        )}
      </Show>
    </>
  );
}
