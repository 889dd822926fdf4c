import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { createGitlabForge } from '../../../src/providers/gitlab/forge/forge.ts';
import { readGitlabSettings } from '../../../src/providers/gitlab/forge/settings.ts';
import { FakeGitlab } from '../../support/forges/fakeGitlab/fakeGitlab.ts';
import { mergeMr, note, report } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import {
  createSeenFrom,
  type Happening,
  MIRRORS,
  PEOPLE,
  prKey,
  REPOS,
  type StormForge,
  type StormPr,
  WEB,
} from './stormForge.ts';

const TOKEN = 'glpat-simulated';
const PLACE = { new_path: 'a.ts', old_path: 'a.ts', new_line: 1, old_line: null };

/** A GitLab in a storm. */
export function gitlabInStorm(worldClock: Clock): StormForge {
  const gitlab = new FakeGitlab(worldClock);
  const { state } = gitlab;
  state.addUser(TOKEN, 'svc-robot');
  for (const login of [...PEOPLE, 'outsider']) state.addUser(`${login}-token`, login);
  state.addUser('ci-token', 'ci', { bot: true });
  state.lagMs = 3_000;
  for (const repo of REPOS)
    state.addProject(repo, ['svc-robot', ...PEOPLE, 'ci'], { visibility: 'public' });
  const seenFrom = createSeenFrom(() => worldClock.now());
  const findPr = ({ repo, number }: StormPr) => ({
    project: state.project(repo),
    mr: state.mr(repo, number),
  });

  return {
    id: 'gitlab',
    readsAtOnce: false,
    seen: gitlab.seen,
    counted: () => gitlab.counted,
    serial: () => state.id(),
    respond: (request) => gitlab.respond(request),
    prs: () =>
      state.projects.flatMap(({ path: repo, mrs }) =>
        mrs.map(({ iid: number, source: head, state: is, description: body, discussions }) => {
          const said = discussions.flatMap(({ notes }) => notes.map((one) => one.body));
          return { repo, number, head, isOpen: is === 'opened', body, said };
        }),
      ),
    commit: (repo, head) =>
      void state.commit(state.project(repo), head, { [`${head}.txt`]: 'new\n' }),
    merge(of) {
      const { project, mr } = findPr(of);
      mergeMr(state, project, mr, 'ann');
    },
    happen({ chance, later }, of) {
      const { project, mr } = findPr(of);
      const now = worldClock.now();
      const visibleAt = seenFrom(chance, of);
      const createHappening = (kind: string, name: string, serial: number): Happening => ({
        externalId: `gitlab:${prKey(of)}:${kind}:${name}`,
        pr: prKey(of),
        head: mr.source,
        kind,
        second: Math.floor(now / 1000),
        serial,
      });
      const say = (kind: string, author: string, body: string, more = {}) => {
        const { id } = note(state, mr, author, body, { visibleAt, ...more });
        return createHappening(kind, `note-${id}`, id);
      };
      const author = chance.pick(PEOPLE);
      const remark = `remark ${state.id()}`;
      const what = chance.int(1, 100);
      if (what <= 8) {
        say('commented', chance.pick(['ci', 'outsider']), remark);
        return null;
      }
      if (what <= 60) return say('commented', author, remark);
      if (what <= 80) {
        const [kind, words] = chance.pick([
          ['approved', 'approved this merge request'],
          ['commented', 'unapproved this merge request'],
          ['changes_requested', 'requested changes'],
        ] as const);
        return say(kind, author, words, { system: true });
      }
      if (what <= 92) {
        const visibleThreads = mr.discussions.filter(({ notes }) =>
          notes.every(({ type, visibleAt: at }) => type === 'DiffNote' && at <= now),
        );
        const thread = chance.is(0.4) ? visibleThreads.at(-1)?.id : undefined;
        const at = { type: 'DiffNote', position: PLACE, resolvable: true };
        return say('review_thread', author, remark, thread ? { ...at, thread } : at);
      }
      const [head, name] = [state.readCommit(project, mr.source), `ci ${state.id()}`];
      // Its number is given when the result comes: until then the pipeline does not show it.
      const happening = createHappening('check_failed', '', 0);
      later(visibleAt - now, () => {
        report(state, project, mr.source, name, 'failed');
        const status = project.pipelines
          .flatMap(({ statuses }) => statuses)
          .find((one) => one.name === name);
        if (!status) return;
        status.at = now;
        const { id } = status;
        Object.assign(happening, createHappening('check_failed', `${head}:${name}:${id}`, id), {
          second: Math.floor(now / 1000),
        });
      });
      return happening;
    },
    create: (accountClient, clock) =>
      createGitlabForge({
        mayAct: mayAlwaysAct,
        settings: readGitlabSettings({ token: TOKEN, baseUrl: WEB }),
        accountClient,
        clock,
        mirrorsDir: MIRRORS,
        selfIsPerson: false,
      }),
    remove: () => state.remove(),
  };
}
