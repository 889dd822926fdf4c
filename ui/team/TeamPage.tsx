import { Match, Switch } from 'solid-js';
import type { TeamPart } from '../shell/navigation/router.ts';
import { AuditPage } from './AuditPage.tsx';
import { DispatchesPage } from './DispatchesPage.tsx';
import { MembersPage } from './MembersPage.tsx';
import { RunnersPage } from './RunnersPage.tsx';
import { TeamsPage } from './TeamsPage.tsx';
import type { TeamParts } from './teamParts.ts';
import { VersionsPage } from './VersionsPage.tsx';
import './team.css';

/** The pages that only a team has. */
export const createTeamPage = (parts: TeamParts) =>
  function TeamPage(props: { part: TeamPart; query: Readonly<Record<string, string>> }) {
    return (
      <Switch>
        <Match when={props.part === 'teams'}>
          <TeamsPage {...parts} />
        </Match>
        <Match when={props.part === 'members'}>
          <MembersPage {...parts} />
        </Match>
        <Match when={props.part === 'runners'}>
          <RunnersPage {...parts} />
        </Match>
        <Match when={props.part === 'audit'}>
          <AuditPage {...parts} query={props.query} />
        </Match>
        <Match when={props.part === 'versions'}>
          <VersionsPage {...parts} opened={props.query['id'] ?? null} />
        </Match>
        <Match when={props.part === 'dispatches'}>
          <DispatchesPage {...parts} opened={props.query['id'] ?? null} />
        </Match>
      </Switch>
    );
  };
