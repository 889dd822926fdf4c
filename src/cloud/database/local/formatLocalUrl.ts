import { LOCAL_DATABASE, LOCAL_USER } from './initializeData.ts';

/** The URL of a database that svc has started. */
export const formatLocalUrl = (password: string, socketFolder: string): string =>
  `postgres://${LOCAL_USER}:${password}@localhost/${LOCAL_DATABASE}?host=${encodeURIComponent(socketFolder)}`;
