import { createEffect, createSignal, For, on, onCleanup, onMount, Show } from 'solid-js';
import { readPageKey } from '../shell/connection/login.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { useStore } from '../shell/useStore.ts';
import { addPushChannel } from './addRules.ts';
import {
  askForPush,
  findOwnBrowserId,
  findPushObstacle,
  type PushObstacle,
  subscribeBrowser,
  unsubscribeBrowser,
} from './browserPush.ts';
import { ChannelCard } from './ChannelCard.tsx';
import { writePushRecord } from './pushRecord.ts';
import './notifications.css';

/** How often a visible page reads them again, ms. */
const AGAIN_MS = 10_000;

const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  insecure:
    'A browser takes messages only from an address that begins with https://, or from the runner’s own machine. The guide shows how to get one.',
  unsupported: 'This browser cannot receive web push.',
  'home-screen':
    'On iPhone and iPad: choose Share, then Add to Home Screen, and open svc from there.',
  denied: 'Notifications of this address are blocked. Allow them in the settings of the browser.',
};

const GUIDE = 'https://github.com/svc/runner/blob/main/docs/guides/notifications.md';

/** Where people are notified of what needs them: each channel, how it works, and this browser. */
export function NotificationsPage() {
  const { client, shell, run } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [list, { refetch }] = createReading(() => client.notificationChannels());
  const [own, { refetch: lookAgain }] = createReading(findOwnBrowserId);
  const ownId = () => own.latest ?? null;
  const [obstacle, setObstacle] = createSignal(findPushObstacle());
  const [isBusy, setBusy] = createSignal(false);
  const again = () => void refetch();
  createEffect(on(reconnects, again, { defer: true }));
  onMount(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS);
    onCleanup(() => clearInterval(timer));
  });
  const channels = () => list.latest?.channels ?? [];
  const findChannel = (name: string) => channels().find((one) => one.name === name);
  /** The channel that this browser belongs to. */
  const ownChannel = () =>
    channels().find(({ browsers }) => browsers.some(({ id }) => id === ownId()))?.name ?? null;
  const isKnown = () =>
    list.latest !== undefined && (own.latest !== undefined || own.error !== undefined);

  const turnOn = async (channel: string | null) => {
    setBusy(true);
    if (await askForPush())
      await run('This browser gets notifications now', async (to) => {
        const { publicKey } = await to.pushKey({});
        const subscription = await subscribeBrowser(publicKey);
        const pushChannel = channel ?? (await addPushChannel(to));
        const { id } = await to.subscribePush(pushChannel, subscription);
        await writePushRecord({
          channel: pushChannel,
          browserId: id,
          publicKey,
          pageKey: readPageKey(),
        });
      });
    setObstacle(findPushObstacle());
    setBusy(false);
    void lookAgain();
    again();
  };
  const turnOff = async (channel: string, id: string) => {
    setBusy(true);
    await run('The browser gets no more notifications', async (to) => {
      await to.unsubscribePush(channel, id);
      if (id === ownId()) await unsubscribeBrowser();
    });
    setBusy(false);
    void lookAgain();
    again();
  };

  return (
    <div class="page notifications-page">
      <div class="page-head">
        <h1>Notifications</h1>
        <a class="button quiet" href="#/settings/notifications">
          <Icon name="sliders" /> Edit channels
        </a>
      </div>
      <ReadingView reading={list} retry={again}>
        <Show when={isKnown()} fallback={<p class="muted">Loading …</p>}>
          <section class="channel" aria-labelledby="this-browser">
            <div class="row">
              <h2 id="this-browser" class="grow">
                This browser
              </h2>
              <span class={`pill ${ownChannel() === null ? '' : 'good'}`}>
                {ownChannel() === null ? 'Off' : 'On'}
              </span>
              <Show
                when={ownChannel()}
                fallback={
                  <button
                    type="button"
                    class="primary"
                    disabled={isBusy() || obstacle() !== null}
                    onClick={() => void turnOn(findPushChannel(channels()))}
                  >
                    <Icon name="bell" /> Turn on for this browser
                  </button>
                }
              >
                {(channel) => (
                  <button
                    type="button"
                    disabled={isBusy()}
                    onClick={() => void turnOff(channel(), ownId() ?? '')}
                  >
                    Turn off for this browser
                  </button>
                )}
              </Show>
            </div>
            <Show
              when={ownChannel() === null ? obstacle() : null}
              fallback={
                <p class="muted">
                  It shows what needs you even when this page is closed. The text is encrypted
                  between the runner and the browser.
                </p>
              }
            >
              {(one) => (
                <p>
                  {OBSTACLES[one()]}{' '}
                  <a href={GUIDE} target="_blank" rel="noreferrer">
                    Guide
                  </a>
                </p>
              )}
            </Show>
          </section>
          {/* By name: a list that is read again must not take the focus from a button. */}
          <For
            each={channels().map(({ name }) => name)}
            fallback={
              <div class="empty">
                <h2>No channels yet</h2>
                <p>
                  A channel sends what needs you to Slack, Teams, Discord, ntfy, e-mail, a browser,
                  or a program of yours. A rule says which of it.
                </p>
                <p class="row">
                  <a class="button" href="#/settings/notifications">
                    <Icon name="plus" /> Add a channel
                  </a>
                </p>
              </div>
            }
          >
            {(name) => (
              <Show when={findChannel(name)}>
                {(channel) => (
                  <ChannelCard
                    channel={channel()}
                    ownId={ownId()}
                    changed={again}
                    remove={(id) => void turnOff(name, id)}
                  />
                )}
              </Show>
            )}
          </For>
        </Show>
      </ReadingView>
    </div>
  );
}

/** The channel that a browser is turned on for; null = one has to be added. */
const findPushChannel = (
  channels: readonly { name: string; type: string; state: string }[],
): string | null =>
  channels.find(({ type, state }) => type === 'web-push' && state !== 'disabled')?.name ?? null;
