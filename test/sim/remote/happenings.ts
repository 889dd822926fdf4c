import type { FakePr, FakeRepo, FakeState } from '../../support/forges/fakeGithub/state.ts';
import type { Chance } from '../chance.ts';

/** Longest time for which reads do not show what has happened, ms; less than svc allows for. */
const MOST_LAG_MS = 9_000;

/** Something that its job must hear of. */
export interface Happening {
  externalId: string;
  /** `<repo>#<number>`. */
  pr: string;
  head: string;
  kind: string;
  /** In whole seconds, as the forge tells it. */
  second: number;
  /** Order among those of its kind. */
  serial: number;
}

interface Stage {
  state: FakeState;
  chance: Chance;
  later(ms: number, run: () => void): void;
}

export const prKey = (repo: FakeRepo, pr: FakePr): string =>
  `${repo.owner}/${repo.name}#${pr.number}`;

/**
 * From when on something is seen: never before what has happened earlier to the same pull request.
 */
const seenFrom = new WeakMap<FakePr, number>();
function visibleFrom({ state, chance }: Stage, pr: FakePr): number {
  const at = Math.max(seenFrom.get(pr) ?? 0, state.clock.now() + chance.int(0, MOST_LAG_MS));
  seenFrom.set(pr, at);
  return at;
}

/**
 * What people, programs and CI do to an open pull request. Answers what the job must hear of; null
 * = nothing.
 */
export function happen(stage: Stage, repo: FakeRepo, pr: FakePr): Happening | null {
  const { state, chance } = stage;
  const now = state.clock.now();
  const [id, visibleAt] = [state.id(), visibleFrom(stage, pr)];
  const reported = (kind: string, name: string): Happening => ({
    externalId: `github:${prKey(repo, pr)}:${kind}:${name}`,
    pr: prKey(repo, pr),
    head: pr.head,
    kind,
    second: Math.floor(now / 1000),
    serial: id,
  });
  const author = chance.pick(['ann', 'bob', 'eve']);
  const said = { id, author, body: `remark ${id}`, at: now, visibleAt, association: 'MEMBER' };
  pr.updatedAt = now;
  const what = chance.int(1, 100);
  if (what <= 8) {
    // Programs and outsiders talk as well, and no job may hear of it.
    const [by, association] = chance.pick([
      ['ci[bot]', 'CONTRIBUTOR'],
      ['outsider', 'NONE'],
    ] as const);
    pr.comments.push({ ...said, author: by, association });
    return null;
  }
  if (what <= 60) {
    pr.comments.push(said);
    return reported('commented', `issue-${id}`);
  }
  if (what <= 80) {
    const kind = chance.pick(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED'] as const);
    pr.reviews.push({ ...said, state: kind, commit: '' });
    return reported(kind === 'COMMENTED' ? 'commented' : kind.toLowerCase(), `review-${id}`);
  }
  if (what <= 92) {
    const open = pr.threads.filter(({ comments }) => comments.every((one) => one.visibleAt <= now));
    const thread = chance.is(0.4) ? open.at(-1) : undefined;
    if (thread) thread.comments.push({ ...said, replyTo: thread.comments[0]?.id ?? null });
    else
      pr.threads.push({
        id: `T${id}`,
        path: 'a.ts',
        line: 1,
        resolved: false,
        comments: [{ ...said, replyTo: null }],
      });
    return reported('review_thread', `thread-${id}`);
  }
  const head = state.commitOf(repo, pr.head);
  const check = {
    id,
    name: `ci ${id}`,
    status: 'COMPLETED',
    conclusion: 'FAILURE',
    at: now,
  } as const;
  stage.later(visibleAt - now, () => pr.checks.set(head, [...(pr.checks.get(head) ?? []), check]));
  return reported('check_failed', `${head}:${check.name}:${id}`);
}
