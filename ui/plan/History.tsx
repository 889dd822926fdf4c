import { createEffect, createSignal, For, Index, on, onCleanup, Show } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type {
  InvestigationList,
  InvestigationSummary,
} from '../../src/contract/schema/planning/intake.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { formatAge } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { describeChatCost, READINESS } from './planText.ts';

/** Rows of one request, and between two looks at the list, ms. */
const PAGE = 30;
const LOOK_MS = 5_000;

interface HistoryProps {
  openId: string;
  version: string;
  /** Receives the open conversation as the list has it; null = it is in no list. */
  onSeen: (open: InvestigationSummary | null) => void;
}

async function readList(
  client: Pick<Client, 'investigations'>,
  most: number,
): Promise<InvestigationList> {
  const pages = await Promise.all(
    Array.from({ length: Math.ceil(most / PAGE) }, (_, page) =>
      client.investigations({ limit: PAGE, offset: page * PAGE }),
    ),
  );
  const [first] = pages;
  return {
    total: first?.total ?? 0,
    sessions: pages.flatMap(({ sessions }) => sessions),
    limit: most,
    offset: 0,
  };
}

export function History(props: HistoryProps) {
  const { client, connection } = useDashboard();
  const [limit, setLimit] = createSignal(PAGE);
  const [list, setList] = createSignal<InvestigationList | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  let isReading = false;
  /** Reads the list; what was read before stays when it cannot be read. */
  async function look(): Promise<void> {
    if (isReading || (list() !== null && document.visibilityState !== 'visible')) return;
    isReading = true;
    try {
      const list = await readList(client, limit());
      setList(list);
      setProblem(null);
      const open = list.sessions.find(({ sessionId }) => sessionId === props.openId);
      if (open || list.sessions.length >= list.total) props.onSeen(open ?? null);
    } catch (error) {
      if (!connection.report(error)) setProblem(error);
    } finally {
      isReading = false;
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS);
  onCleanup(() => clearInterval(timer));
  createEffect(on([() => props.version, limit], () => void look()));
  return (
    <nav class="plan-history" aria-label="Earlier chats">
      <Show when={problem()}>
        {(error) => <Problem error={error()} retry={() => void look()} />}
      </Show>
      <ul class="plain">
        {/* New objects with every look: rows that keep their places keep the focus. */}
        <Index each={list()?.sessions}>
          {(session) => <Row session={session()} isOpen={session().sessionId === props.openId} />}
        </Index>
      </ul>
      <Show when={list()?.sessions.length === 0}>
        <p class="muted">Chats are kept here.</p>
      </Show>
      <Show when={(list()?.total ?? 0) > limit()}>
        <button type="button" class="quiet" onClick={() => setLimit(limit() + PAGE)}>
          Show more
        </button>
      </Show>
    </nav>
  );
}

function Row(props: { session: InvestigationSummary; isOpen: boolean }) {
  const readiness = () => READINESS[props.session.readiness ?? 'investigating'];
  return (
    <li class="plan-row" aria-current={props.isOpen ? 'page' : undefined}>
      <a href={toRouteHash(['plan', props.session.sessionId])} title={props.session.title}>
        <bdi>{revealTurningCharacters(props.session.title)}</bdi>
      </a>
      <small class="plan-row-facts">
        <Show when={props.session.running} fallback={<span>{readiness()}</span>}>
          <span class="working">
            <span class="working-dot" aria-hidden="true" /> answering
          </span>
        </Show>
        <Show when={props.session.repo}>{(repo) => <bdi>{repo()}</bdi>}</Show>
        <span>{describeChatCost(props.session.counters.cost)}</span>
        <time datetime={props.session.updatedAt}>
          {formatAge(props.session.updatedAt, nowForAges())}
        </time>
      </small>
      <For each={props.session.jobIds}>
        {(jobId) => (
          <small>
            <Icon name="play" /> Job <JobLink jobId={jobId} />
          </small>
        )}
      </For>
    </li>
  );
}
