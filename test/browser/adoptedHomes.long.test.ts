import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import type { Health } from '../../src/contract/schema/api/replies.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import {
  axeFaults,
  LOOKS,
  OTHER_LOOKS,
  picture,
  toContextOptions,
} from '../support/browser/pageChecks.ts';

const test = suite('browser: jobs of lost machines that this runner continues');

const SINCE = '2026-01-01T00:00:00.000Z';
const CLOUD: NonNullable<Health['cloud']> = {
  url: 'https://svc.example.com',
  connection: 'connected',
  since: SINCE,
  problem: null,
  team: { id: 't', slug: 'acme', name: 'Acme' },
  runner: { id: 'r2', name: 'pool-2' },
  adopted: [
    {
      homeId: 'h1',
      runner: { id: 'r1', name: 'pool-1' },
      since: SINCE,
      url: 'http://127.0.0.1:40001',
      jobs: [
        { id: 'shop-job-1', title: 'Keep accented characters in slugs', status: 'coding' },
        { id: 'shop-job-2', title: 'Name the port in the error', status: 'testing' },
      ],
    },
    { homeId: 'h3', runner: { id: 'r3', name: 'mac-ada' }, since: SINCE, url: null, jobs: [] },
  ],
  state: { place: 'replicated', changes: 0, since: null },
};

if (hasBrowser('jobs of lost machines')) {
  const stage = await DashboardStage.open();
  test.after(() => stage.close());

  for (const look of [...LOOKS, ...OTHER_LOOKS].filter(({ name }) =>
    ['390-dark', '1440-light'].includes(name),
  ))
    test(`the list of jobs names them and leads to them: ${look.name} (RUN-5)`, async () => {
      const page = await stage.page('#/jobs', toContextOptions(look));
      await page.route('**/health', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), cloud: CLOUD } });
      });
      await page.reload();
      const link = page.getByRole('link', { name: 'Name the port in the error' });
      await link.waitFor();
      assert.is(await link.getAttribute('href'), 'http://127.0.0.1:40001/#/jobs/shop-job-2');
      await page.getByText('they are being fetched').waitFor();
      assert.equal(await axeFaults(page), []);
      await picture(page, `adopted-homes-${look.name}`);
      await closePage(page);
    });
}

test.run();
