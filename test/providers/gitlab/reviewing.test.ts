import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReviewWrite } from '../../../src/contract/forge/review.ts';
import { removeMark } from '../../../src/git/marks.ts';
import { openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import type { FakeMr } from '../../support/forges/fakeGitlab/state.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';
import { remark, send } from '../../support/forges/reviewOf.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm gitlab: reviewing');

const on =
  (run: (stage: GitlabStage, mr: FakeMr) => Promise<void>, author = 'ann') =>
  async () => {
    const stage = await GitlabStage.open();
    const { state } = stage.server;
    state.commit(stage.project, 'feature', { 'feature.txt': 'one\ntwo\nthree\n' });
    const mr = { title: 'A feature', description: '', source: 'feature', target: 'main', author };
    try {
      await run(stage, openMr(state, stage.project, mr));
    } finally {
      await stage.end();
    }
  };
const review: Omit<ReviewWrite, 'head'> = {
  repo: REPO,
  number: 1,
  verdict: 'comment',
  body: 'Look.',
  comments: [remark()],
};
const listNotes = ({ discussions }: FakeMr): string[] =>
  discussions.flatMap(({ notes }) =>
    notes.filter(({ system }) => !system).map(({ body }) => removeMark(body)),
  );

test(
  'comments are drafts that are published together, then the approval, for the commit that was reviewed',
  on(async ({ forge, server }, mr) => {
    await send(forge, { ...review, verdict: 'approve' });
    assert.equal(listNotes(mr), ['Why?', 'Look.']);
    assert.equal(mr.approvals, ['svc-robot']);
    assert.equal(mr.drafts, []);
    assert.is(server.writes(/bulk_publish$/), 1);
  }),
);

test(
  'a comment that GitLab does not take is named, and the others are published',
  on(async ({ forge }, mr) => {
    const [answer] = await send(forge, {
      ...review,
      comments: [remark({ line: 40, body: 'Nowhere.' }), remark()],
    });
    assert.equal(listNotes(mr), ['Why?', 'Look.']);
    const [rejected] = Object(answer).rejected;
    assert.is(rejected.index, 0);
    assert.match(rejected.reason, /must be a valid line code/);
  }),
);

test(
  'drafts that a person has under the same account stay drafts',
  on(async ({ forge, server }, mr) => {
    mr.drafts.push({ id: 7, author: 'svc-robot', note: 'Mine.', discussion: null, position: null });
    await send(forge, review);
    assert.equal(listNotes(mr), ['Why?', 'Look.']);
    assert.equal(
      mr.drafts.map(({ note }) => note),
      ['Mine.'],
    );
    assert.is(server.writes(/bulk_publish$/), 0);
  }),
);

test(
  'cut off at any request and asked for again, every comment exists once',
  on(async ({ forge, server }, mr) => {
    for (let turn = 0; ; turn += 1) {
      let remaining = turn;
      let cut = false;
      server.fault = ({ method }) => {
        if (method === 'GET' || remaining-- > 0 || cut) return null;
        cut = true;
        return 'cut-after';
      };
      await send(forge, review, `review-${turn}`).catch(() => []);
      server.fault = () => null;
      await send(forge, review, `review-${turn}`);
      if (!cut) break;
    }
    const [comments, texts] = ['Why?', 'Look.'].map(
      (text) => listNotes(mr).filter((body) => body === text).length,
    );
    assert.equal([comments, texts, mr.drafts.length], [4, 4, 0]);
  }),
);

test(
  'an approval of new commits is refused after a push, and nothing is published',
  on(async ({ forge, server, project }, mr) => {
    const head = server.state.readCommit(project, 'feature');
    server.state.commit(project, 'feature', { 'later.txt': 'x\n' });
    const { code, data } = await catchRefusal(() =>
      send(forge, { ...review, verdict: 'approve', head }),
    );
    assert.is(code, 'conflict');
    assert.equal([data.reviewed, data.newest], [head, server.state.readCommit(project, 'feature')]);
    assert.equal([listNotes(mr), mr.approvals], [[], []]);
  }),
);

test.run();
