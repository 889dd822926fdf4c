import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import type { Health } from '../../src/contract/schema/api/replies.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import {
  axeFaults,
  toContextOptions,
  type Look,
  LOOKS,
  OTHER_LOOKS,
  picture,
} from '../support/browser/pageChecks.ts';

const test = suite('browser: a control plane that is away');

const CLOUD: NonNullable<Health['cloud']> = {
  url: 'https://svc.example.com',
  connection: 'connecting',
  since: '2026-01-01T00:00:00.000Z',
  problem: 'The connection broke.',
  team: { id: 't', slug: 'acme', name: 'Acme' },
  runner: { id: 'r', name: 'mac' },
  state: { place: 'waiting', changes: 12, since: '2026-01-01T00:00:00.000Z' },
};

/** Lets the runner say this of its control plane. */
const stubCloudState = async (page: Page, state: () => NonNullable<Health['cloud']>['state']) =>
  page.route('**/health', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      json: { ...(await answer.json()), cloud: { ...CLOUD, state: state() } },
    });
  });

const EACH_LOOK: readonly Look[] = [...LOOKS, ...OTHER_LOOKS].filter(({ name }) =>
  ['390-dark', '390-light', '1440-dark', '1440-light'].includes(name),
);

if (hasBrowser('a control plane that is away')) {
  const stage = await DashboardStage.open();
  test.after(() => stage.close());

  for (const look of EACH_LOOK)
    test(`the banner says since when, how much waits and what that means: ${look.name}`, async () => {
      const page = await stage.page('#/jobs', toContextOptions(look));
      let isAway = true;
      await stubCloudState(page, () =>
        isAway ? CLOUD.state : { place: 'replicated', changes: 0, since: null },
      );
      await page.reload();
      const banner = page.locator('[data-notice="cloud-away"]');
      await banner.getByText('12 changes wait').waitFor();
      assert.equal(await axeFaults(page), []);
      await picture(page, `cloud-away-${look.name}`);
      isAway = false;
      await banner.waitFor({ state: 'detached' });
      await closePage(page);
    });
}

test.run();
