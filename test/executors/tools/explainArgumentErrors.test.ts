import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Compile } from 'typebox/compile';
import { explainArgumentErrors } from '../../../src/executors/tools/tool.ts';
import { jobControlTools } from '../../../src/executors/tools/job/jobControl.ts';

const test = suite('errors of arguments');

test('an unknown kind of event is reported once, with the known ones (TOOL-1)', () => {
  const input = jobControlTools.find(({ name }) => name === 'await_event')?.input;
  if (!input) throw new Error('there is no await_event');
  const text = explainArgumentErrors(
    'await_event',
    input,
    Compile(input).Errors({ kinds: ['merge', 'merged'] }),
  );
  assert.match(
    text,
    /"kinds\.0" must be one of approved, changes_requested, commented, review_thread, check_failed, check_passed, conflict, merged, closed/,
  );
  assert.not.match(text, /constant|anyOf/);
  assert.is(text.split('kinds.0').length - 1, 1);
});

test.run();
