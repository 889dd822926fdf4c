import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { inLongLane, longLane } from '../support/longLane.ts';
import { FakeBrowser, FakePushService } from '../support/notifications/fakePushService.ts';

const test = suite('browser: notifications');
const long = longLane(test);

const PLANS = `tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step' });`;
const CHANNELS = {
  channels: {
    phones: { type: 'web-push', allowHosts: ['127.0.0.1'] },
    team: { type: 'slack', url: 'http://127.0.0.1:9/canary-address' },
  },
  rules: [{ channel: 'phones', kinds: ['needs-you'], batchSeconds: 0 }],
};

type Subscription = ReturnType<FakeBrowser['toSubscription']>;

/** Script by which a page gets its subscription from the test: it reaches no push service. */
const giveSubscription = ({ endpoint, keys }: Subscription): string => `
  let subscription = null;
  const made = {
    endpoint: ${JSON.stringify(endpoint)},
    options: { applicationServerKey: null },
    toJSON: () => (${JSON.stringify({ endpoint, keys })}),
    unsubscribe: async () => { subscription = null; return true; },
  };
  PushManager.prototype.getSubscription = async () => subscription;
  PushManager.prototype.subscribe = async (options) => { window.pushOptions = options; return (subscription = made); };
`;

/** Delivers messages to the service worker as the browser does when its push service sends one. */
class WorkerPushes {
  readonly #session: CDPSession;
  readonly #origin: string;
  readonly #registration: Promise<string>;

  private constructor(session: CDPSession, origin: string, registration: Promise<string>) {
    this.#session = session;
    this.#origin = origin;
    this.#registration = registration;
  }

  static async open(context: BrowserContext, page: Page): Promise<WorkerPushes> {
    const session = await context.newCDPSession(page);
    const registration = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
        const active = versions.find(({ status }) => status === 'activated');
        if (active) resolve(active.registrationId);
      }),
    );
    await session.send('ServiceWorker.enable');
    return new WorkerPushes(session, new URL(page.url()).origin, registration);
  }

  async deliver(data: string): Promise<void> {
    const registrationId = await this.#registration;
    await this.#session.send('ServiceWorker.deliverPushMessage', {
      origin: this.#origin,
      registrationId,
      data,
    });
  }
}

/** Title, tag and place of what the browser shows. */
const listShown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, tag, data }) => ({ title, tag, hash: data.hash as string }));
  });

async function untilShown(page: Page, title: RegExp) {
  for (;;) {
    const notifications = await listShown(page);
    if (notifications.some((one) => title.test(one.title))) return notifications;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

if (hasBrowser('notifications in Chromium')) {
  const stage = await DashboardStage.open(
    { plans: PLANS },
    { notifications: CHANNELS },
    { notifies: true },
  );
  const service = await new FakePushService().start();
  const browser = new FakeBrowser('/send/one', Buffer.alloc(16, 5));
  const subscription = browser.toSubscription(service.url);
  test.after(async () => {
    service.stop();
    await stage.close();
  });

  /** The next message that the push service takes for the browser. */
  const nextPush = (): Promise<string> =>
    new Promise((resolve) => {
      service.onTaken = () => resolve(service.taken.at(-1)?.text ?? '');
    });

  async function openPage(): Promise<Page> {
    const page = await stage.page('#/notifications', {
      permissions: ['notifications'],
      script: giveSubscription(subscription),
    });
    await page.getByRole('heading', { name: 'This browser' }).waitFor();
    return page;
  }

  test('each channel shows what it is sent and how it works, without a secret, on a phone and on a desktop (UI-6)', async () => {
    const page = await openPage();
    const team = page.getByRole('region', { name: 'team' });
    await team.getByText('No rule sends to it.').waitFor();
    await team.getByRole('button', { name: 'Send a test: team' }).focus();
    await page.keyboard.press('Enter');
    await team.getByText('Not delivered: could not be reached').waitFor();
    await team.getByRole('button', { name: 'Send it what needs you: team' }).focus();
    await page.keyboard.press('Enter');
    await team.getByText('Gets what needs you, what is broken, budgets').waitFor();
    assert.is((await page.content()).includes('canary-address'), false);
    for (const { width, colorScheme } of inLongLane ? LOOKS : LOOKS.slice(0, 1)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `notifications ${width} ${colorScheme}`);
      await picture(page, `notifications-${width}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.evaluate(() => {
      location.hash = '#/jobs';
    });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('heading', { name: 'This browser' }).waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a browser that is turned on gets what needs its person, and opens it (UI-6)', async () => {
    const page = await openPage();
    const pushes = await WorkerPushes.open(page.context(), page);
    await page.getByRole('button', { name: 'Turn on for this browser' }).focus();
    await page.keyboard.press('Enter');
    const phones = page.getByRole('region', { name: 'phones' });
    await phones.getByText('(this one)').waitFor();
    const { publicKey } = await stage.client.pushKey({});
    assert.equal(await page.evaluate(() => Object(window).pushOptions), {
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    });
    service.addBrowser(browser, publicKey);
    assert.is((await page.content()).includes('/send/one'), false);

    const push = nextPush();
    const jobId = await stage.job('plans', 'Change the titles');
    await pushes.deliver(await push);
    assert.equal(await untilShown(page, /Change the titles/), [
      {
        title: 'Waiting for your approval: Change the titles',
        tag: `job/${jobId}`,
        hash: `#/jobs/${jobId}`,
      },
    ]);

    // Approved elsewhere: what the browser shows is replaced.
    const settled = nextPush();
    const { approval } = await stage.client.job(jobId);
    await stage.client.resume(jobId, {
      eventKey: 'approve',
      ...(approval?.shown ? { shown: approval.shown } : {}),
    });
    await pushes.deliver(await settled);
    const notifications = await untilShown(page, /^Settled/);
    assert.equal(
      notifications.map(({ tag }) => tag),
      [`job/${jobId}`],
    );

    // No test can click what the browser shows outside of its pages.
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(async () => {
      const scope = Object(globalThis);
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
    });
    await page.waitForURL(`**/dashboard/#/jobs/${jobId}`);
    // The worker complains that no person has clicked.
    stage.problems.length = 0;
    await closePage(page);
  });

  long(
    'a browser whose subscription has ended is forgotten, and turned off by hand it is too',
    async () => {
      const page = await openPage();
      const turnOn = page.getByRole('button', { name: 'Turn on for this browser' });
      await turnOn.click();
      const phones = page.getByRole('region', { name: 'phones' });
      await phones.getByText('(this one)').waitFor();
      service.gone.add(browser.path);
      await phones.getByRole('button', { name: 'Send a test: phones' }).click();
      await phones.getByText('Not delivered: answered 410').waitFor();
      await phones.getByText('No browser is turned on.').waitFor();
      service.gone.clear();
      await turnOn.click();
      await phones.getByText('(this one)').waitFor();
      await page.getByRole('button', { name: 'Turn off for this browser' }).click();
      await phones.getByText('No browser is turned on.').waitFor();
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  /** The browser gives the worker a new subscription, and reports it. No test can make it do so by itself. */
  const replaceSubscription = async (page: Page, next: Subscription): Promise<void> => {
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(({ endpoint, keys }) => {
      const scope = Object(globalThis);
      scope.PushManager.prototype.subscribe = async (options: unknown) => {
        scope.pushOptions = options;
        return {
          endpoint,
          toJSON() {
            return { endpoint, keys };
          },
        };
      };
      scope.dispatchEvent(new scope.ExtendableEvent('pushsubscriptionchange'));
    }, next);
  };

  long(
    'a browser whose subscription the browser replaces stays on without a page of svc (UI-6)',
    async () => {
      const page = await openPage();
      await page.getByRole('button', { name: 'Turn on for this browser' }).click();
      const phones = page.getByRole('region', { name: 'phones' });
      await phones.getByText('(this one)').waitFor();
      const { publicKey } = await stage.client.pushKey({});
      const renewed = new FakeBrowser('/send/two', Buffer.alloc(16, 6));
      service.addBrowser(renewed, publicKey);
      await replaceSubscription(page, renewed.toSubscription(service.url));
      // The page knows the subscription before.
      await phones.getByText('(this one)').waitFor({ state: 'detached' });
      const [worker] = page.context().serviceWorkers();
      assert.equal(await worker?.evaluate(() => Object(globalThis).pushOptions), {
        userVisibleOnly: true,
        applicationServerKey: publicKey,
      });
      const pushed = nextPush();
      await stage.client.testNotification('phones', {});
      assert.match(await pushed, 'Test of the channel phones');
      assert.is(service.taken.at(-1)?.path, renewed.path);

      // A person turns it off elsewhere: it stays off, and shows it.
      const { channels } = await stage.client.notificationChannels();
      const [known] = channels.flatMap(({ browsers }) => browsers);
      await stage.client.unsubscribePush('phones', known?.id ?? '');
      const again = new FakeBrowser('/send/three', Buffer.alloc(16, 7));
      await replaceSubscription(page, again.toSubscription(service.url));
      const notifications = await untilShown(page, /no longer notifies/);
      assert.equal(
        notifications.filter(({ tag }) => tag === 'subscription').map(({ hash }) => hash),
        ['#/notifications'],
      );
      await phones.getByText('No browser is turned on.').waitFor();
      stage.problems.length = 0;
      await closePage(page);
    },
  );
}

test.run();
