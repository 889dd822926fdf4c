import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAT, ChatStage } from '../../support/chats/chatStage.ts';

const test = suite('plan-mode chats: what a run can be made of');

const WORKFLOW = {
  id: 'bug',
  name: 'Fix a bug',
  workflowPath: 'workflows/bug.md',
  description: 'Repairs it.',
};
const runnable = async () => ({
  workflows: [WORKFLOW],
  broken: ['workflows/broken.md'],
  repositories: ['shop'],
});
const RUN = { workflowPath: 'workflows/bug.md', repoSlug: 'shop', description: 'Fix it' };

/** A chat whose every answer proposes this run; `messages`: what the model was given. */
async function proposing(run: object, parts: Partial<{ runnable: typeof runnable }>) {
  const messages: string[] = [];
  const stage = await ChatStage.open(
    async ({ request, say }) => {
      messages.push(request.message);
      say(`<run>${JSON.stringify(run)}</run>\n`);
    },
    { parts },
  );
  return { stage, messages };
}

test('a turn without context can choose among the workflows of the runner (PLN-8)', async () => {
  const { stage, messages } = await proposing(RUN, { runnable });
  await stage.answer('go');
  const { run } = await stage.intake.investigation(CHAT);
  assert.is(run?.workflowPath, 'workflows/bug.md');
  assert.equal(run?.params, { repoSlug: 'shop', description: 'Fix it' });
  assert.equal(run?.removed, []);
  assert.match(messages[0] ?? '', 'workflows/bug.md: Fix a bug. Repairs it.');
  assert.match(messages[0] ?? '', 'Repositories: shop');
  await stage.close();
});

test('a later turn without context can as well, and one with empty lists (PLN-8)', async () => {
  const { stage, messages } = await proposing(RUN, { runnable });
  const other = { ...WORKFLOW, workflowPath: 'workflows/other.md' };
  await stage.answer('one', { context: { availableWorkflows: [other] } });
  await stage.answer('two');
  assert.is((await stage.intake.investigation(CHAT)).run?.workflowPath, 'workflows/bug.md');
  await stage.answer('three', { context: { availableWorkflows: [], recentRepos: [] } });
  assert.is((await stage.intake.investigation(CHAT)).run?.workflowPath, 'workflows/bug.md');
  assert.match(messages[2] ?? '', 'workflows/bug.md');
  await stage.close();
});

test('a list of the request bounds the choice, and the reason names what was chosen', async () => {
  const { stage } = await proposing(RUN, { runnable });
  const other = { ...WORKFLOW, workflowPath: 'workflows/other.md' };
  await stage.answer('go', { context: { availableWorkflows: [other] } });
  const { run } = await stage.intake.investigation(CHAT);
  assert.is(run?.workflowPath, null);
  assert.equal(run?.removed, [
    { name: 'workflowPath', reason: 'unknown-workflow', value: 'workflows/bug.md' },
  ]);
  await stage.close();
});

test('a workflow with errors is not taken, and the reason names it', async () => {
  const { stage } = await proposing({ workflowPath: 'workflows/broken.md' }, { runnable });
  await stage.answer('go');
  const { run } = await stage.intake.investigation(CHAT);
  assert.equal(run?.removed, [
    { name: 'workflowPath', reason: 'broken-workflow', value: 'workflows/broken.md' },
  ]);
  await stage.close();
});

test('a list that cannot be read ends no turn', async () => {
  const { stage } = await proposing(RUN, {
    runnable: () => Promise.reject(new Error('the layer cannot be read')),
  });
  const reader = await stage.answer('go');
  assert.is(reader.last?.type, 'done');
  await stage.close();
});

test.run();
