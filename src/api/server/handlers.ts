import type { Routes } from '../../contract/routes/routes.ts';
import type { Handlers } from './handler.ts';
import { auditHandlers } from './handlers/auditHandlers.ts';
import { commandHandlers } from './handlers/commandHandlers.ts';
import { intakeHandlers } from './handlers/intakeHandlers.ts';
import { intelligenceHandlers } from './handlers/intelligenceHandlers.ts';
import { jobHandlers } from './handlers/jobHandlers.ts';
import { loginHandlers } from './handlers/loginHandlers.ts';
import { oversightHandlers } from './handlers/oversightHandlers.ts';
import { pluginHandlers } from './handlers/pluginHandlers.ts';
import { pullRequestHandlers } from './handlers/pullRequestHandlers.ts';
import { serviceHandlers } from './handlers/serviceHandlers.ts';
import { notificationHandlers } from './handlers/notificationHandlers.ts';
import { settingHandlers } from './handlers/settingHandlers.ts';

export const handlers: Handlers<Routes> = {
  ...serviceHandlers,
  ...jobHandlers,
  ...oversightHandlers,
  ...commandHandlers,
  ...pullRequestHandlers,
  ...pluginHandlers,
  ...settingHandlers,
  ...notificationHandlers,
  ...auditHandlers,
  ...intelligenceHandlers,
  ...intakeHandlers,
  ...loginHandlers,
};
