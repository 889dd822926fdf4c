import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IntakeParts } from '../../../src/intake/intakeParts.ts';
import { CHAT, ChatStage, PIN, settleQueue } from '../../support/chats/chatStage.ts';

const test = suite('plan-mode chats: the commits that they look at');

/** A look-up that pins the repository that its path names. */
const lookups: IntakeParts['lookups'] = ({ onPinned }) => [
  {
    name: 'scm_read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object' },
    describeTarget: ({ path }) => String(path),
    async find({ path }) {
      await onPinned({ ...PIN, slug: String(path) });
      return {
        text: 'text',
        trust: 'own',
        repo: String(path),
        commit: PIN.commit,
        path: null,
        fromLine: null,
        toLine: null,
      };
    },
  },
];

const commits = (stage: ChatStage) =>
  JSON.parse(stage.store.rows.one('investigations', { id: CHAT })?.pins ?? '[]').map(
    ({ slug, commit }: typeof PIN) => `${slug} ${commit.slice(0, 1)}`,
  );

test('repositories that are read together are all kept', async () => {
  const stage = await ChatStage.open(
    async ({ look }) => {
      await Promise.all(['shop', 'lib'].map((path) => look('scm_read_file', { path })));
      return undefined;
    },
    { parts: { lookups } },
  );
  await stage.say('go');
  assert.equal(commits(stage), ['shop c', 'lib c']);
  await stage.close();
});

test('newest commits that a person takes while a turn runs stay, whatever it looks at then (PLN-6)', async () => {
  let next = () => {};
  const stage = await ChatStage.open(
    async ({ look }) => {
      await look('scm_read_file', { path: 'shop' });
      await new Promise<void>((resolve) => {
        next = resolve;
      });
      await look('scm_read_file', { path: 'lib' });
      return undefined;
    },
    { parts: { lookups } },
  );
  await stage.say('go');
  await stage.intake.pinNewest(CHAT);
  next();
  await settleQueue();
  assert.equal(commits(stage), ['shop d', 'lib c']);
  await stage.close();
});

test.run();
