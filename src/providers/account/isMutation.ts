/** Whether a question of GraphQL changes something; a body that is not GraphQL counts as a change. */
export function isMutation(body: string | undefined): boolean {
  try {
    return /^\s*mutation\b/.test(JSON.parse(body ?? '').query);
  } catch {
    return true;
  }
}
