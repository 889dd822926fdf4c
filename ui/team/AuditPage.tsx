import { createEffect, createMemo, on, Show } from 'solid-js';
import type { AuditEntry, AuditPage as AuditReply } from '../../src/contract/schema/cloud/audit.ts';
import type { Member } from '../../src/contract/schema/cloud/team.ts';
import { AuditFilters } from '../audit/AuditFilters.tsx';
import { hasAuditFilter } from '../audit/auditFilter.ts';
import { type AuditRow, AuditTable } from '../audit/AuditTable.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { useStore } from '../shell/useStore.ts';
import { AuditCheck } from './AuditCheck.tsx';
import {
  type AuditQuestion,
  isNewestPage,
  parseAuditAsked,
  toAuditRequest,
  toAuditRows,
} from './auditPages.ts';
import { createTeamReading } from './createTeamReading.ts';
import type { TeamParts } from './teamParts.ts';
import { HeadButton } from '../shell/controls/HeadButton.tsx';

/** Who asked for which change of the team, a page at a time; the address has the filters. */
export function AuditPage(props: TeamParts & { query: Readonly<Record<string, string>> }) {
  const { api, store } = props;
  const reconnects = useStore(useDashboard().shell, (context) => context.healed);
  const runners = useStore(store, (context) => context.runners);
  const auditQuery = createMemo(() => parseAuditAsked(props.query));
  const [reading, { refetch }] = createReading(auditQuery, async (question) => ({
    question,
    ...toAuditRows(await api.get<AuditReply>(toAuditRequest(question)), question),
  }));
  createEffect(on(reconnects, () => void refetch(), { defer: true }));
  // Only names: the log can be read without them.
  const [members] = createTeamReading(async () =>
    api.get<{ members: Member[] }>('members').then(
      (reply) => reply.members,
      () => [],
    ),
  );
  const names = createMemo(
    () =>
      new Map([
        ...(members.latest ?? []).map(({ userId, name }) => [userId, name] as const),
        ...runners().map(({ id, name }) => [id, name] as const),
      ]),
  );
  const people = () => [...new Set((members.latest ?? []).map(({ name }) => name))];
  const actions = () =>
    [...new Set((reading.latest?.rows ?? []).map(({ action }) => action))].sort();
  const toPageHash = (place: { before?: number | undefined; after?: number | undefined }) => {
    const { person, action, since } = auditQuery();
    const toText = (n: number | undefined) => (n === undefined ? undefined : String(n));
    return toRouteHash(['audit'], {
      person,
      action,
      since,
      before: toText(place.before),
      after: toText(place.after),
    });
  };
  return (
    <div class="page team-page audit-page">
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
        Each change that a member asked for, for a year. An entry is written before the change; a
        change that failed has a second one.
      </p>
      <AuditCheck api={api} />
      <AuditFilters filter={auditQuery()} people={people()} actions={actions()} />
      <ReadingView reading={reading} retry={() => void refetch()}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          {(page) => (
            <>
              <Show
                when={page().rows.length > 0}
                fallback={<NoEntries question={page().question} />}
              >
                <AuditTable
                  rows={page().rows.map(toAuditRow)}
                  names={names()}
                  isOld={reading.isOld}
                />
              </Show>
              <Show when={page().hasNewer || page().hasOlder}>
                <nav class="row" aria-label="Pages of the log">
                  <Show when={page().hasNewer}>
                    <a class="button quiet" href={toPageHash({})}>
                      Newest
                    </a>
                    <Show when={page().rows[0]}>
                      {(first) => (
                        <a class="button quiet" href={toPageHash({ after: first().n })}>
                          <Icon name="left" /> Newer
                        </a>
                      )}
                    </Show>
                  </Show>
                  <Show when={page().hasOlder && page().rows.at(-1)}>
                    {(last) => (
                      <a class="button quiet" href={toPageHash({ before: last().n })}>
                        Older <Icon name="right" />
                      </a>
                    )}
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

function NoEntries(props: { question: AuditQuestion }) {
  const isUnfiltered = () => isNewestPage(props.question) && !hasAuditFilter(props.question);
  return (
    <div class="empty">
      <h2>{isUnfiltered() ? 'No entries yet' : 'No matching entries'}</h2>
      <p>
        {isUnfiltered()
          ? 'The first change that a member asks for is the first entry.'
          : 'No entry of the log has this person, action and time.'}
      </p>
    </div>
  );
}

const toAuditRow = (entry: AuditEntry): AuditRow => ({
  ...entry,
  who: entry.person ?? entry.userId ?? 'Control plane',
  whoTitle: entry.userId ?? undefined,
});
