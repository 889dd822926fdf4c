import { createSignal, For, Show } from 'solid-js';
import type { Team } from '../../src/contract/schema/cloud/team.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { useStore } from '../shell/useStore.ts';
import { createTeamReading } from './createTeamReading.ts';
import { includesRole } from './roles.ts';
import type { TeamParts } from './teamParts.ts';

/** Leaves this page for that of a team: another team has another API. */
const openTeamPage = (slug: string, hash = ''): void => location.assign(`/t/${slug}/${hash}`);

/** The teams of the person, and what an admin or owner changes of this one. */
export function TeamsPage(props: TeamParts) {
  const { run } = useDashboard();
  const { api, store } = props;
  const me = useStore(store, (context) => context.me);
  const slug = store.getSnapshot().context.slug;
  const [list, readAgain] = createTeamReading(async () => {
    const { teams } = await api.get<{ teams: Team[] }>('/teams');
    store.trigger.teamsRead({ teams });
    return teams;
  });
  const [asks, setAsks] = createSignal<'create' | 'rename' | 'delete' | null>(null);
  const here = () => me().teams.find((team) => team.slug === slug);
  const logOut = () =>
    run('Logged out.', async () => {
      await fetch('/auth/logout', {
        method: 'POST',
        body: new URLSearchParams({ csrf: api.csrf() }),
      });
      location.assign('/auth/login');
    });
  return (
    <div class="page team-page">
      <div class="page-head">
        <h1>Teams</h1>
        <button type="button" onClick={() => setAsks('create')}>
          <Icon name="plus" /> New team
        </button>
      </div>
      <ReadingView reading={list} retry={readAgain}>
        <ul class="plain team-rows">
          <For each={list.latest ?? me().teams}>
            {(team) => (
              <li class="team-row">
                <p class="team-row-head">
                  <a
                    href={`/t/${team.slug}/`}
                    aria-current={team.slug === slug ? 'true' : undefined}
                  >
                    <strong>
                      <bdi>{team.name}</bdi>
                    </strong>
                  </a>
                  <span class="pill">{team.role}</span>
                  <code>{team.slug}</code>
                  <Show when={team.slug === slug}>
                    <small>This team</small>
                  </Show>
                </p>
              </li>
            )}
          </For>
        </ul>
      </ReadingView>
      <Show when={here()}>
        {(team) => (
          <Show when={includesRole(team().role, 'admin')}>
            <section class="section stack" aria-labelledby="this-team">
              <h2 id="this-team">
                <bdi>{team().name}</bdi>
              </h2>
              <div class="row">
                <button type="button" onClick={() => setAsks('rename')}>
                  Rename …
                </button>
                <Show when={team().role === 'owner'}>
                  <button type="button" class="danger" onClick={() => setAsks('delete')}>
                    <Icon name="trash" /> Delete …
                  </button>
                </Show>
              </div>
            </section>
          </Show>
        )}
      </Show>
      <section class="section stack" aria-labelledby="account">
        <h2 id="account">Your account</h2>
        <p>
          You are logged in as <bdi>{me().name}</bdi> (<bdi>{me().email}</bdi>).
        </p>
        <div class="row">
          <button type="button" onClick={() => void logOut()}>
            Log out
          </button>
        </div>
      </section>
      <Show when={asks() === 'create'}>
        <NewTeam {...props} close={() => setAsks(null)} />
      </Show>
      <Show when={asks() === 'rename' && here()}>
        {(team) => <RenameTeam {...props} team={team()} close={() => setAsks(null)} />}
      </Show>
      <Show when={asks() === 'delete' && here()}>
        {(team) => <DeleteTeam {...props} team={team()} close={() => setAsks(null)} />}
      </Show>
    </div>
  );
}

function NewTeam(props: TeamParts & { close: () => void }) {
  const { run } = useDashboard();
  const [name, setName] = createSignal('');
  const send = () =>
    run('The team was created.', async () => {
      const team = await props.api.send<Team>('POST', '/teams', { name: name().trim() });
      openTeamPage(team.slug);
    });
  return (
    <AskDialog
      title="New team"
      says="Create team"
      isReady={name().trim() !== ''}
      close={props.close}
      send={send}
    >
      <label class="field">
        Name
        <input
          autofocus
          autocomplete="off"
          maxlength={100}
          value={name()}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <p class="muted">You become its owner.</p>
    </AskDialog>
  );
}

function RenameTeam(props: TeamParts & { team: Team; close: () => void }) {
  const { run } = useDashboard();
  const { team } = props;
  const [name, setName] = createSignal(team.name);
  const [slug, setSlug] = createSignal(team.slug);
  const send = () =>
    run('The team was renamed.', async () => {
      const now = await props.api.send<Team>('PATCH', '', {
        name: name().trim(),
        ...(slug().trim() === team.slug ? {} : { slug: slug().trim() }),
      });
      if (now.slug !== team.slug) return openTeamPage(now.slug, '#/teams');
      const { teams } = await props.api.get<{ teams: Team[] }>('/teams');
      props.store.trigger.teamsRead({ teams });
    });
  return (
    <AskDialog
      title="Rename the team"
      says="Save"
      isReady={name().trim() !== '' && slug().trim() !== ''}
      close={props.close}
      send={send}
    >
      <label class="field">
        Name
        <input
          autocomplete="off"
          maxlength={100}
          value={name()}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label class="field">
        Name in addresses and commands
        <input
          autocomplete="off"
          spellcheck={false}
          maxlength={40}
          value={slug()}
          onInput={({ currentTarget }) => setSlug(currentTarget.value)}
        />
      </label>
      <Show when={slug().trim() !== team.slug}>
        <p class="notice">
          Addresses and commands with <code>{team.slug}</code> stop working.
        </p>
      </Show>
    </AskDialog>
  );
}

function DeleteTeam(props: TeamParts & { team: Team; close: () => void }) {
  const { run } = useDashboard();
  const { team } = props;
  const [typedText, setTypedText] = createSignal('');
  const send = () =>
    run('The team was deleted.', async () => {
      await props.api.send('DELETE', `/teams/${team.slug}?name=${encodeURIComponent(typedText())}`);
      location.assign('/t/');
    });
  return (
    <AskDialog
      title={`Delete ${team.name}?`}
      says="Delete the team"
      danger
      isReady={typedText() === team.name}
      close={props.close}
      send={send}
    >
      <p>
        Members lose access at once, runners are disconnected, and waiting dispatches are gone. Jobs
        stay on their runners. This cannot be undone.
      </p>
      <label class="field">
        <span>
          Type <strong>{team.name}</strong> to confirm
        </span>
        <input
          autocomplete="off"
          spellcheck={false}
          value={typedText()}
          onInput={({ currentTarget }) => setTypedText(currentTarget.value)}
        />
      </label>
    </AskDialog>
  );
}
