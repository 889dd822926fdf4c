import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Play } from '../../demo/model/script.ts';
import { type AgentKind, agentStory } from '../support/agents/agentStory.ts';
import { type Cut, cutting } from '../support/crash/cutConnection.ts';

const test = suite('stories: the connection to the tool server is cut in the middle of a call');

const ARTEFACT = { kind: 'report-md', title: 'Report', content: '# The report' };
/** Calls that are made again before it gives up. */
const TRIES = 5;

/**
 * Keeps an insight, then stores a report, and asks for that again as long as it hears nothing of
 * it.
 */
const worker: Play = function* () {
  const insight = yield {
    svc: 'add_insight',
    args: { category: 'testing', text: 'Done before the cut.' },
  };
  if (insight.failed) return 'The insight was not kept.';
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (!(yield { svc: 'post_artifact', args: ARTEFACT }).failed) return 'All is stored.';
  }
  yield { svc: 'escalate', args: { message: 'The report could not be stored.' } };
  return 'Nothing is stored.';
};

const CUTS: Record<Cut['at'], Cut> = {
  call: { at: 'call', tool: 'post_artifact' },
  answer: { at: 'answer', text: /Artefact [0-9a-f]{16} stored/ },
};

async function checkCutReport(kind: AgentKind, at: Cut['at']): Promise<void> {
  process.env.NODE_OPTIONS = cutting(CUTS[at]);
  await agentStory(kind, worker, async ({ it, model, jobId }) => {
    delete process.env.NODE_OPTIONS;
    await it.until(jobId, ({ ended }) => ended);
    const { status, artefacts, insights } = await it.client.job(jobId);
    assert.equal(status, 'complete');
    assert.equal(
      artefacts.map(({ title }) => title),
      ['Report'],
    );
    assert.equal(
      insights.map(({ text }) => text),
      ['Done before the cut.'],
    );
    const rows = await it.client.journal(jobId);
    const toolEvents = rows
      .map(({ event }) => event.type)
      .filter((type) => type.startsWith('tool.'));
    assert.equal(
      toolEvents,
      ['tool.add_insight', 'tool.post_artifact'],
      'each call was carried out once',
    );
    const conversation = JSON.stringify(model.requests.played.at(-1)?.body);
    const times = (pattern: RegExp) => conversation.match(pattern)?.length ?? 0;
    assert.is(
      times(/Insight [0-9a-f]{16} saved/g),
      1,
      'what was done before the cut is still known',
    );
    assert.is(times(/Artefact [0-9a-f]{16} stored/g), 1, 'the answer was heard in the end');
    assert.is(times(/"tool_use"/g), 3, 'the call was made twice');
  });
}

test('the agent of svc makes the call again, which is carried out once, whether the tool had begun or had answered (STR-4)', async () => {
  await checkCutReport('builtin', 'call');
  await checkCutReport('builtin', 'answer');
});

test('so does an agent in a process of its own (STR-4)', async () => {
  await checkCutReport('acp', 'call');
  await checkCutReport('acp', 'answer');
});

test.run();
