import { join } from 'node:path';

/**
 * In the session's folder, where its network is cut off: how the tool server is reached from
 * inside. Holds the password of the session's own proxy (0600).
 */
export const resolveWayFile = (sessionDir: string): string => join(sessionDir, 'tool-way.json');
