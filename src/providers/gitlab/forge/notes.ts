/** GitLab's own note about an approval. */
export const APPROVED = /^approved this merge request$/;
/** The same about requested changes. */
export const REQUESTED_CHANGES = /^(?:has )?requested changes\b/i;
