import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { webhookStage } from '../support/forges/webhookStage.ts';

const test = suite('webhooks: deliveries that only say where to look');

/** What a forge sends for a comment, an approval and a push alike. */
const HINT = { project: 'acme/shop', change: 3 };

/** A stage with a job that waits for a pull request of the installed forge `hub`. */
async function watching() {
  const it = await webhookStage();
  const row = {
    forge: 'hub',
    repo: 'acme/shop',
    number: 3,
    job_id: await it.job({}),
    pr_id: 'hub:acme/shop#3',
    title: '',
    head: '',
    base: '',
    url: '',
    state: 'open',
  };
  await it.kernel.submit({ rows: [{ op: 'put', table: 'pr_mappings', row }] });
  return it;
}

test('each of two deliveries with the same bytes and no id makes the runner ask for news', async () => {
  const it = await watching();
  await it.hub(HINT, null);
  const second = await it.hub(HINT, null);
  assert.equal(it.nudges, ['hub', 'hub']);
  assert.equal(second, { accepted: true, duplicate: false });
  await it.end();
});

test('so does each of two with the same bytes and an id of its own', async () => {
  const it = await watching();
  await it.hub(HINT, 'first');
  await it.hub(HINT, 'second');
  assert.equal(it.nudges, ['hub', 'hub']);
  await it.end();
});

test('one that comes again with its id is a copy', async () => {
  const it = await watching();
  await it.hub(HINT, 'first');
  const copy = await it.hub(HINT, 'first');
  assert.equal(it.nudges, ['hub']);
  assert.equal(copy, { accepted: true, duplicate: true });
  await it.end();
});

test.run();
