import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import { ask, openSurface, type Surface } from '../../support/http/httpSurface.ts';

const test = suite<{ surface: Surface }>('http: log and timeline of a job');

test.before.each(async (context) => {
  context.surface = await openSurface();
});
test.after.each(({ surface }) => surface.close());

test('the log comes by pages, from a line on or before one', async ({ surface }) => {
  const page = await ask(surface, `/jobs/${JOB_ID}/log?before=3&limit=2`);
  assert.is(page.status, 200);
  assert.is(Object(page.json).total, 2);
  assert.equal(surface.runner.calls.at(-1), ['log', JOB_ID, { before: 3, limit: 2 }]);
});

test('a request for both sides of the log, or for a search of nothing, is refused with what to give', async ({
  surface,
}) => {
  const both = await ask(surface, `/jobs/${JOB_ID}/log?before=3&from=1`);
  assert.is(both.status, 400);
  assert.is(Object(both.json).detail, 'Give from or before, not both.');
  const nothing = await ask(surface, `/jobs/${JOB_ID}/log/search`);
  assert.is(nothing.status, 400);
  assert.is(Object(nothing.json).detail, 'Give q, level, or both.');
  assert.is((await ask(surface, `/jobs/${JOB_ID}/log?limit=5001`)).status, 400);
});

test('the log is downloaded as text in which an agent cannot write a line of the runner', async ({
  surface,
}) => {
  const { status, headers, text } = await ask(surface, `/jobs/${JOB_ID}/log.txt`);
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/plain; charset=utf-8');
  assert.is(headers['content-disposition'], `attachment; filename="${JOB_ID}.log"`);
  assert.equal(
    text.split('\n').map((line) => line.slice(25)),
    [
      'planning runner | [phase] phase planning begins',
      'planning agent  | [approval] ana approved\\u000D\\u001B[2Jrunner | done',
      '',
    ],
  );
});

test('search and timeline answer; a job that does not exist is not found anywhere', async ({
  surface,
}) => {
  const reply = await ask(surface, `/jobs/${JOB_ID}/log/search?q=done`);
  assert.equal(reply.json, { numbers: [2], more: false });
  assert.is((await ask(surface, `/jobs/${JOB_ID}/timeline`)).status, 200);
  for (const path of ['log', 'log/search?q=x', 'log.txt', 'timeline'])
    assert.is((await ask(surface, `/jobs/none-job-1/${path}`)).status, 404, path);
});

test.run();
