import { createSignal, For, Show } from 'solid-js';
import type { ChannelType, NotificationKind } from '../../src/base/settings/notificationKinds.ts';
import type {
  NotificationChannel,
  NotificationTest,
  PushBrowser,
} from '../../src/contract/schema/runner/notifications.ts';
import { formatAge, formatDateTime, formatTimeWithDay } from '../jobs/jobText.ts';
import { toPlainSentence } from '../jobs/plainText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { addRule } from './addRules.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';

const TYPES: Readonly<Record<ChannelType, string>> = {
  command: 'A program of yours',
  webhook: 'Signed webhook',
  slack: 'Slack',
  teams: 'Teams',
  discord: 'Discord',
  ntfy: 'ntfy',
  email: 'E-mail',
  'web-push': 'Browsers',
};

const KINDS: Readonly<Record<NotificationKind, string>> = {
  'needs-you': 'what needs you',
  broken: 'what is broken',
  budget: 'budgets',
  account: 'accounts of models',
  runner: 'the runner',
  report: 'reports',
};

const STATES = {
  ok: { says: 'Works', tone: 'good' },
  failing: { says: 'Failing', tone: 'bad' },
  unused: { says: 'Not used yet', tone: '' },
  disabled: { says: 'Off', tone: '' },
} as const;

function Moment(props: { time: string }) {
  return <span title={formatDateTime(props.time)}>{formatAge(props.time, nowForAges())}</span>;
}

function Browser(props: { browser: PushBrowser; isOwn: boolean; remove: () => void }) {
  return (
    <li>
      <span class="grow">
        {props.browser.label}
        <Show when={props.isOwn}> (this one)</Show>
        <small class="muted"> by {props.browser.service}</small>
        <Show when={props.browser.lastSentAt}>
          {(time) => (
            <small>
              {' '}
              last message <Moment time={time()} />
            </small>
          )}
        </Show>
        <Show when={props.browser.problem}>
          {(problem) => (
            <small class="channel-problem" dir="auto">
              {' '}
              {problem()}
            </small>
          )}
        </Show>
      </span>
      <button
        type="button"
        class="quiet"
        aria-label={`Turn off ${props.browser.label}`}
        onClick={() => props.remove()}
      >
        Turn off
      </button>
    </li>
  );
}

/** A channel: what it is sent, how it works, and a test of it. */
export function ChannelCard(props: {
  channel: NotificationChannel;
  /** Id of this browser; null = it is not turned on. */
  ownId: string | null;
  changed: () => void;
  /** Turns a browser off. */
  remove: (browser: string) => void;
}) {
  const { client, connection, run, shell } = useDashboard();
  const [result, setResult] = createSignal<NotificationTest | null>(null);
  const [isTesting, setTesting] = createSignal(false);
  const name = () => props.channel.name;
  const test = async () => {
    setTesting(true);
    setResult(null);
    try {
      setResult(await client.testNotification(name(), {}));
    } catch (error) {
      connection.report(error);
      shell.trigger.failed({ text: 'The test was not sent', error });
    }
    setTesting(false);
    props.changed();
  };
  const addOwnRule = async () => {
    if (await run('The rule is added', (to) => addRule(to, name()))) props.changed();
  };
  const hasRule = () => props.channel.kinds.length > 0;
  const state = () => STATES[props.channel.state];
  return (
    <section class="channel" aria-labelledby={`channel-${name()}`}>
      <div class="row">
        <h2 id={`channel-${name()}`} class="grow">
          {name()}
        </h2>
        <span class={`pill ${state().tone}`}>{state().says}</span>
        <Show when={!hasRule()}>
          <button
            type="button"
            aria-label={`Send it what needs you: ${name()}`}
            onClick={() => void addOwnRule()}
          >
            Send it what needs you
          </button>
        </Show>
        <button
          type="button"
          disabled={isTesting()}
          aria-label={`Send a test: ${name()}`}
          onClick={() => void test()}
        >
          <Icon name="send" /> Send a test
        </button>
      </div>
      <p class="muted">
        {TYPES[props.channel.type]}.{' '}
        <Show when={hasRule()} fallback="No rule sends to it.">
          Gets {props.channel.kinds.map((kind) => KINDS[kind]).join(', ')}.
        </Show>{' '}
        <Show
          when={props.channel.lastSentAt}
          fallback={hasRule() && 'No message was delivered yet.'}
        >
          {(time) => (
            <>
              Last message: <Moment time={time()} />.
            </>
          )}
        </Show>
        <Show when={props.channel.waiting > 0}> Waiting: {props.channel.waiting}.</Show>
        <Show when={props.channel.lost > 0}> Lost in seven days: {props.channel.lost}.</Show>
      </p>
      <Show when={props.channel.problem}>
        {(problem) => (
          <p class="channel-problem" dir="auto">
            <Icon name="warn" /> {toPlainSentence(problem())}
            <Show when={props.channel.failingSince}>
              {(time) => (
                <>
                  {' '}
                  Failing since{' '}
                  <span title={formatDateTime(time())}>
                    {formatTimeWithDay(time(), nowForAges())}
                  </span>
                  .
                </>
              )}
            </Show>
          </p>
        )}
      </Show>
      <p role="status">
        <Show when={result()}>
          {(one) =>
            one().delivered ? `${name()} took the test message.` : `Not delivered: ${one().problem}`
          }
        </Show>
      </p>
      <Show when={props.channel.type === 'web-push'}>
        <ul class="plain channel-browsers">
          <For each={props.channel.browsers} fallback={<li>No browser is turned on.</li>}>
            {(browser) => (
              <Browser
                browser={browser}
                isOwn={browser.id === props.ownId}
                remove={() => props.remove(browser.id)}
              />
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}
