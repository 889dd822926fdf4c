import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import DocsCommand from '../../cli/commands/docs.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite('svc docs');

const run = (...argv: string[]) => new CommandLine({}).run(DocsCommand, argv);

const BACKUP = readFileSync('docs/operations/backup.md', 'utf8');

for (const name of ['operations/backup', 'backup', 'docs/operations/backup.md'])
  test(`a page is printed as it is: ${name}`, async () => {
    assert.equal(await run(name), { code: 0, out: BACKUP, err: '' });
  });

test('without a name the pages are listed with their titles', async () => {
  const { out } = await run();
  assert.match(out, /^guides\/notifications +Notifications$/m);
  assert.match(out, /^reference\/configuration +Configuration$/m);
  assert.not.match(out, 'decisions/');
});

test('--json has page, title and text', async () => {
  const { page, title, text } = JSON.parse((await run('backup', '--json')).out);
  assert.equal([page, title, text], ['operations/backup', /^# (.+)$/m.exec(BACKUP)?.[1], BACKUP]);
});

test('an unknown page proposes others', async () => {
  const misspelt = await run('notificatons');
  assert.is(misspelt.code, 3);
  assert.match(misspelt.err, 'guides/notifications');
  assert.match((await run('quota')).err, 'concepts/quota, operations/quota');
  assert.match((await run('slack')).err, 'svc docs lists all');
});

for (const name of ['../package.json', '/etc/passwd', '../../etc/passwd'])
  test(`only pages of the documentation are read: ${name}`, async () => {
    assert.is((await run(name)).code, 3);
  });

test('the pages are in the package', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const part of ['concepts', 'guides', 'operations', 'reference'])
    assert.ok(files.includes(`docs/${part}`), part);
  for (const page of ['start', 'security', 'differences'])
    assert.ok(files.includes(`docs/${page}.md`), page);
});

test.run();
