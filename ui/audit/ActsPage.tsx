import { createEffect, createMemo, on, Show } from 'solid-js';
import type { ActSource, RecordedAct } from '../../src/contract/schema/runner/audit.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { useStore } from '../shell/useStore.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AUDIT_PAGE, hasAuditFilter } from './auditFilter.ts';
import { type AuditRow, AuditTable } from './AuditTable.tsx';
import { parseAskedActs, toActsQuery } from './askedActs.ts';
import { HeadButton } from '../shell/controls/HeadButton.tsx';

/** How an act came in, in words. */
const SOURCES: Readonly<Record<ActSource, string>> = {
  dashboard: 'Dashboard',
  cli: 'Command line',
  team: 'Team',
  token: 'Program with the token',
  open: 'Without a login',
  file: 'Configuration file',
};

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** What people did at this runner, a page at a time; the address has the filters. */
export function ActsPage(props: { query: Readonly<Record<string, string>> }) {
  const { client, shell } = useDashboard();
  const healed = useStore(shell, (context) => context.healed);
  const filter = createMemo(() => parseAskedActs(props.query));
  const [reading, { refetch }] = createReading(filter, async (question) => ({
    question,
    ...(await client.audit(toActsQuery(question))),
  }));
  createEffect(on(healed, () => void refetch(), { defer: true }));
  const acts = () => reading.latest?.acts ?? [];
  const people = () => [...new Set(acts().flatMap(({ person }) => person ?? []))];
  const actions = () => [...new Set(acts().map(({ action }) => action))].sort();
  const toPageHash = (offset: number) => {
    const { person, action, since } = filter();
    const from = offset === 0 ? undefined : String(offset);
    return toRouteHash(['audit'], { person, action, since, offset: from });
  };
  return (
    <div class="page audit-page">
      <div class="page-head">
        <h1>Audit</h1>
        <HeadButton
          says="Refresh"
          icon="redo"
          disabled={reading.loading}
          onClick={() => void refetch()}
        />
      </div>
      <p class="muted">
        What people did at this runner. An entry is written before the act; one that failed has the
        code of its error. No entry has a text that a person wrote.
      </p>
      <AuditFilters filter={filter()} people={people()} actions={actions()} />
      <ReadingView reading={reading} retry={() => void refetch()}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          {(page) => (
            <>
              <Show
                when={page().acts.length > 0}
                fallback={<NoActs isFiltered={hasAuditFilter(page().question)} />}
              >
                <AuditTable
                  rows={page().acts.map(toAuditRow)}
                  names={NO_NAMES}
                  isOld={reading.isOld}
                />
              </Show>
              <Show when={page().total > AUDIT_PAGE}>
                <nav class="row" aria-label="Pages of the log">
                  <Show when={page().question.offset > 0}>
                    <a
                      class="button quiet"
                      href={toPageHash(Math.max(0, page().question.offset - AUDIT_PAGE))}
                    >
                      <Icon name="left" /> Newer
                    </a>
                  </Show>
                  <Show when={page().total > page().question.offset + AUDIT_PAGE}>
                    <a class="button quiet" href={toPageHash(page().question.offset + AUDIT_PAGE)}>
                      Older <Icon name="right" />
                    </a>
                  </Show>
                </nav>
              </Show>
            </>
          )}
        </Show>
      </ReadingView>
    </div>
  );
}

function NoActs(props: { isFiltered: boolean }) {
  return (
    <div class="empty">
      <h2>{props.isFiltered ? 'No matching entries' : 'No entries yet'}</h2>
      <p>
        {props.isFiltered
          ? 'No entry of the log has this person, action and time.'
          : 'The first act of a person, such as a new job or an approval, is the first entry.'}
      </p>
    </div>
  );
}

const toAuditRow = ({ person, via, jobId, target, ...act }: RecordedAct): AuditRow => ({
  ...act,
  who: person === null ? SOURCES[via] : `${person} (${SOURCES[via]})`,
  target: jobId === null ? target : { jobId, ...target },
});
