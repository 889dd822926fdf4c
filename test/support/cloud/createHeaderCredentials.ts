import type { Context } from 'koa';
import type { Credentials, Person } from '../../../src/cloud/server/cloudCall.ts';
import { findMembership } from '../../../src/cloud/server/gates/findMembership.ts';

/** For tests that need no login: a header has the ID of the user who calls. */
export function createHeaderCredentials(header: string): Credentials {
  const findPerson = async (ctx: Context): Promise<Person | null> => {
    const userId = ctx.get(header);
    return userId === '' ? null : { userId, email: `${userId}@example.com`, name: userId };
  };
  return {
    readSecret: (ctx) => ctx.get(header),
    findPerson,
    async findMember(ctx, team, database) {
      const person = await findPerson(ctx);
      if (person === null) return null;
      return { person, team: await findMembership(database, person.userId, team) };
    },
  };
}
