import { createSignal, createUniqueId, For, Show } from 'solid-js';
import type { Invitation, Member, NewInvitation } from '../../src/contract/schema/cloud/team.ts';
import type { TeamRole } from '../../src/contract/schema/cloud/teamRole.ts';
import { formatDateTime, formatDay, formatMinuteWithDay } from '../jobs/jobText.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { useStore } from '../shell/useStore.ts';
import { CopyLine } from './CopyLine.tsx';
import { createTeamReading } from './createTeamReading.ts';
import { includesRole, listGrantableRoles, ROLE_TEXT, ROLES } from './roles.ts';
import { canChangeMember, isOnlyOwner } from './memberRules.ts';
import type { TeamParts } from './teamParts.ts';
import { HeadButton } from '../shell/controls/HeadButton.tsx';

/** The people of a team with their roles, and the invitations whose links still work. */
export function MembersPage(props: TeamParts) {
  const { api, store } = props;
  const { run } = useDashboard();
  const me = useStore(store, (context) => context.me);
  const role = useStore(store, (context) => context.surface.role);
  const [reading, readAgain] = createTeamReading(
    async () => (await api.get<{ members: Member[] }>('members')).members,
  );
  const [leaving, setLeaving] = createSignal<Member | null>(null);
  const members = () => reading.latest ?? [];

  const changeRole = async (member: Member, wantedRole: TeamRole) => {
    await run(`${member.name} is now ${wantedRole}.`, () =>
      api.send('PATCH', `members/${member.userId}`, { role: wantedRole }),
    );
    if (member.userId === me().userId) location.reload();
    await readAgain();
  };

  return (
    <div class="page team-page">
      <div class="page-head">
        <h1>Members</h1>
        <HeadButton
          says="Refresh"
          icon="redo"
          disabled={reading.loading}
          onClick={() => void readAgain()}
        />
      </div>
      <ReadingView reading={reading} retry={readAgain}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          <ul class="plain team-rows" aria-label="Members">
            <For each={members()}>
              {(member) => (
                <MemberRow
                  member={member}
                  isMe={member.userId === me().userId}
                  isOnlyOwner={isOnlyOwner(member, members())}
                  own={role()}
                  change={(wantedRole) => void changeRole(member, wantedRole)}
                  leave={() => setLeaving(member)}
                />
              )}
            </For>
          </ul>
        </Show>
      </ReadingView>
      <Show when={includesRole(role(), 'admin')}>
        <Invitations {...props} role={role()} />
      </Show>
      <section class="section stack" aria-labelledby="roles">
        <h2 id="roles">Roles</h2>
        <dl class="role-texts">
          <For each={ROLES}>
            {(one) => (
              <>
                <dt>{one}</dt>
                <dd>{ROLE_TEXT[one]}</dd>
              </>
            )}
          </For>
        </dl>
      </section>
      <Show when={leaving()}>
        {(member) => (
          <RemoveMember
            {...props}
            member={member()}
            isMe={member().userId === me().userId}
            close={() => setLeaving(null)}
            onRemove={() => void readAgain()}
          />
        )}
      </Show>
    </div>
  );
}

function MemberRow(props: {
  member: Member;
  isMe: boolean;
  isOnlyOwner: boolean;
  /** Role of the person who looks. */
  own: TeamRole;
  change: (role: TeamRole) => void;
  leave: () => void;
}) {
  const id = createUniqueId();
  const may = () => canChangeMember(props.own, props.member) && !props.isOnlyOwner;
  return (
    <li class="team-row">
      <p class="team-row-head">
        <strong>
          <bdi>{props.member.name}</bdi>
        </strong>
        <Show when={props.isMe}>
          <small>you</small>
        </Show>
        <bdi class="muted">{props.member.email}</bdi>
        <small title={formatDateTime(props.member.joinedAt)}>
          since {formatDay(props.member.joinedAt)}
        </small>
        <span class="grow" />
        <Show when={may()} fallback={<span class="pill">{props.member.role}</span>}>
          <label class="visually-hidden" for={id}>
            Role of {props.member.name}
          </label>
          <select
            id={id}
            class="role-choice"
            value={props.member.role}
            onChange={({ currentTarget }) => {
              const chosenRole = ROLES.find((role) => role === currentTarget.value);
              if (chosenRole !== undefined) props.change(chosenRole);
            }}
          >
            <For each={listGrantableRoles(props.own)}>
              {(role) => (
                <option value={role} selected={role === props.member.role}>
                  {role}
                </option>
              )}
            </For>
          </select>
        </Show>
        <Show when={(props.isMe && !props.isOnlyOwner) || (!props.isMe && may())}>
          <button type="button" class="quiet danger" onClick={() => props.leave()}>
            {props.isMe ? 'Leave …' : 'Remove …'}
          </button>
        </Show>
      </p>
      <Show when={props.isOnlyOwner && (props.isMe || props.own === 'owner')}>
        <p class="muted">
          The only owner. A team keeps at least one: make another member an owner first to change
          this role or leave.
        </p>
      </Show>
    </li>
  );
}

function RemoveMember(
  props: TeamParts & { member: Member; isMe: boolean; close: () => void; onRemove: () => void },
) {
  const { run } = useDashboard();
  const { member, isMe } = props;
  const send = () =>
    run(isMe ? 'You have left the team.' : `${member.name} was removed.`, async () => {
      await props.api.send('DELETE', `members/${member.userId}`);
      if (isMe) location.assign('/t/');
      else props.onRemove();
    });
  return (
    <AskDialog
      title={isMe ? 'Leave this team?' : `Remove ${member.name}?`}
      says={isMe ? 'Leave the team' : 'Remove'}
      danger
      close={props.close}
      send={send}
    >
      <p>
        {isMe ? 'You lose access at once, and your' : 'They lose access at once, and their'} runners
        are revoked. Jobs stay on their runners.
      </p>
    </AskDialog>
  );
}

function Invitations(props: TeamParts & { role: TeamRole }) {
  const { api } = props;
  const { run } = useDashboard();
  const id = createUniqueId();
  const [reading, readAgain] = createTeamReading(
    async () => (await api.get<{ invitations: Invitation[] }>('invitations')).invitations,
  );
  const [role, setRole] = createSignal<TeamRole>('member');
  const [newInvitation, setNewInvitation] = createSignal<NewInvitation | null>(null);
  const [busy, setBusy] = createSignal(false);

  const invite = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    await run('The invitation is ready.', async () => {
      setNewInvitation(await api.send<NewInvitation>('POST', 'invitations', { role: role() }));
    });
    setBusy(false);
    await readAgain();
  };
  const revoke = async (invitation: Invitation) => {
    await run('The invitation was revoked.', () =>
      api.send('DELETE', `invitations/${invitation.id}`),
    );
    if (newInvitation()?.id === invitation.id) setNewInvitation(null);
    await readAgain();
  };

  return (
    <section class="section stack" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <p class="muted">A link lets one person into the team. It works once, for seven days.</p>
      <form class="row" onSubmit={(event) => void invite(event)}>
        <label for={id}>Role</label>
        <select
          id={id}
          class="role-choice"
          value={role()}
          onChange={({ currentTarget }) =>
            setRole(ROLES.find((one) => one === currentTarget.value) ?? 'member')
          }
        >
          <For each={listGrantableRoles(props.role)}>
            {(one) => <option value={one}>{one}</option>}
          </For>
        </select>
        <button type="submit" class="primary" disabled={busy()}>
          <Icon name="plus" /> Create a link
        </button>
      </form>
      <Show when={newInvitation()}>
        {(invitation) => (
          <div class="notice stack" role="status">
            <p>
              Send this link to one person: it lets them in as {invitation().role}. It is shown only
              now.
            </p>
            <CopyLine text={invitation().url} label="Copy the link of the invitation" />
          </div>
        )}
      </Show>
      <ReadingView reading={reading} retry={readAgain}>
        <ul class="plain team-rows" aria-label="Open invitations">
          <For each={reading.latest ?? []} fallback={<li class="muted">No open invitations.</li>}>
            {(invitation) => (
              <li class="team-row">
                <p class="team-row-head">
                  <span class="pill">{invitation.role}</span>
                  <span>
                    by <bdi>{invitation.invitedBy.name}</bdi>
                  </span>
                  <small title={formatDateTime(invitation.createdAt)}>
                    created {formatMinuteWithDay(invitation.createdAt, nowForAges())}
                  </small>
                  <small>expires {formatDay(invitation.expiresAt)}</small>
                  <span class="grow" />
                  <button
                    type="button"
                    class="quiet danger"
                    onClick={() => void revoke(invitation)}
                  >
                    Revoke
                  </button>
                </p>
              </li>
            )}
          </For>
        </ul>
      </ReadingView>
    </section>
  );
}
