import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { Check } from 'typebox/value';
import { SvcError } from '../../../base/errors/errors.ts';
import { LINK_HEADER, PERSON_HEADER } from '../../../base/http/ownHeaders.ts';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { digestSha256 } from '../../../base/system/ids/ids.ts';
import { joinIntoOneLine, shorten } from '../../../base/text/clip.ts';
import { hasRole } from '../../../contract/schema/cloud/teamRole.ts';
import { Member } from '../../../contract/schema/runner/caller.ts';
import type { Route } from '../../../contract/routes/routes.ts';

/** The link of this process to its control plane, as the API sees it. */
export interface TeamLink {
  /** Only the link of this process knows it. */
  secret: string;
  /** Why a job of this member is not taken; null = it is. */
  refuseDispatch(member: Member): string | null;
}

/** As long as the authors of comments and reviews may be. */
const MAX_NAME_CHARS = 64;

/** The name as an author is written: no character that is not seen, and not like one of a job (`svc:…`). */
function toAuthorName({ name, userId }: Member): string {
  const safeName = joinIntoOneLine(name.replace(/[\p{Cc}\p{Cf}]/gu, ' ')).replace(
    /^(?:svc:\s*)+/i,
    '',
  );
  return safeName === '' ? userId : shorten(safeName, MAX_NAME_CHARS);
}

/**
 * The member of the team that the link names; null = the request does not come from the link. Throws SvcError
 * `forbidden` for a request of anyone else that names a person.
 */
export function readMember(ctx: Context, link: TeamLink | null): Member | null {
  const secret = ctx.get(LINK_HEADER);
  const person = ctx.get(PERSON_HEADER);
  if (secret === '' && person === '') return null;
  if (link === null || !timingSafeEqual(digestSha256(secret), digestSha256(link.secret)))
    throw new SvcError(
      'forbidden',
      `${PERSON_HEADER} is only accepted from the runner's own link to its control plane.`,
    );
  if (lastMember?.header !== person) lastMember = { header: person, member: parseMember(person) };
  return { ...lastMember.member };
}

/** Who was named last: a page asks many times. It says nothing of who may name someone, which is checked each time. */
let lastMember: { header: string; member: Member } | null = null;

function parseMember(header: string): Member {
  const member = parseJsonOrNull(Buffer.from(header, 'base64url').toString('utf8'));
  if (!Check(Member, member))
    throw new SvcError('forbidden', `${PERSON_HEADER} names no member of a team.`);
  return { userId: member.userId, role: member.role, name: toAuthorName(member) };
}

/**
 * Lets a member pass where each route that fits the address is open to their role. Throws SvcError `forbidden`, and
 * `not-found` where no route fits, which includes everything beside the table: dashboard, login links, tool servers.
 */
export function checkTeamAccess(
  member: Member,
  matchedRoutes: readonly Route[],
  link: TeamLink | null,
): void {
  if (matchedRoutes.length === 0) throw new SvcError('not-found', 'No such route.');
  for (const { name, team } of matchedRoutes) {
    if (team === null)
      throw new SvcError(
        'forbidden',
        'This can only be done on the machine of the runner, not through the control plane.',
      );
    if (!hasRole(member.role, team))
      throw new SvcError(
        'forbidden',
        `Your role in the team is ${member.role}; this takes ${team}.`,
        {
          data: { role: member.role, needs: team },
        },
      );
    const refusal = name === 'createJob' ? (link?.refuseDispatch(member) ?? null) : null;
    if (refusal !== null)
      throw new SvcError('forbidden', refusal, { data: { reason: 'not-accepted' } });
  }
}
