import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeRefusal } from '../../../src/providers/rest/describeRefusal.ts';

const test = suite('what servers say of a refusal, as one line');

const github = (...errors: unknown[]) => ({ message: 'Validation Failed', errors });

const SAID: readonly [name: string, body: unknown, said: string][] = [
  [
    'GitHub: a field and a code',
    github({ resource: 'PullRequest', field: 'base', code: 'invalid' }),
    'Validation Failed: base: invalid',
  ],
  [
    'GitHub: each documented code',
    github(
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      { resource: 'Label', field: 'name', code: 'already_exists', value: 'bug' },
      { resource: 'Issue', code: 'missing' },
      { resource: 'Pull', field: 'head', code: 'unprocessable' },
      { resource: 'Pull', code: 'custom', message: 'No commits between main and feature' },
    ),
    'Validation Failed: title: missing (it is required); name: already exists ("bug"); Issue: missing (it does not exist); head: unprocessable (the values do not fit); No commits between main and feature',
  ],
  [
    'GitHub: a code that is not documented',
    github({ resource: 'PullRequest', field: 'diff', code: 'too_large' }),
    'Validation Failed: diff: too large',
  ],
  [
    'GitHub: texts',
    github('was submitted too quickly'),
    'Validation Failed: was submitted too quickly',
  ],
  ['GitHub: one text', { message: 'Validation Failed', errors: 'No.' }, 'Validation Failed: No.'],
  [
    'GitHub: a place in a list',
    github({ field: 'comments', index: 3, code: 'invalid' }),
    'Validation Failed: comments[3]: invalid',
  ],
  [
    'Bitbucket: fields with lists',
    { type: 'error', error: { message: 'Bad request', fields: { title: ['required'] } } },
    'Bad request; title: required',
  ],
  [
    'Jira: by field',
    { errorMessages: [], errors: { customfield_10010: 'Is required', summary: 'Set a summary.' } },
    'customfield_10010: Is required; Set a summary',
  ],
  [
    'Linear: what a validator says',
    {
      message: 'Argument Validation Error',
      validationErrors: [{ property: 'title', constraints: { isString: 'must be a text' } }],
    },
    'Argument Validation Error: title: must be a text',
  ],
  ['OAuth', { error: 'invalid_grant', error_description: 'Expired' }, 'invalid_grant: Expired'],
  ['a problem document', { title: 'Conflict', detail: 'It is locked.' }, 'Conflict: It is locked.'],
  [
    'a page of HTML',
    '<!DOCTYPE html>\n<html><head><title>502 Bad &amp; broken</title></head><body>…',
    'a page of HTML ("502 Bad & broken")',
  ],
  ['a page without a title', '<html>Sign in</html>', 'a page of HTML ("Sign in")'],
  ['HTML within a text', { message: 'Use <b>another</b> <branch>' }, 'Use another <branch>'],
  ['lines', 'Repository rule violations found\n\nNo.', 'Repository rule violations found No.'],
  ['nothing', {}, ''],
  ['numbers', { code: 400, status: 404, message: null }, ''],
];

for (const [name, body, expected] of SAID)
  test(name, () => {
    assert.is(describeRefusal(body), expected);
  });

test('a nest without an end, and a long list, stay short', () => {
  let deep: unknown = 'end';
  for (let n = 0; n < 10_000; n += 1) deep = { errors: [deep] };
  const many = Array.from({ length: 10_000 }, (_, n) => ({ field: `f${n}`, code: 'invalid' }));
  assert.ok(describeRefusal({ message: 'No', errors: [deep, ...many] }).length < 2_000);
});

test.run();
