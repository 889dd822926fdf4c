/**
 * Replaces the browser's notifications, which are invisible in a test, and keeps their texts in
 * `window.noted`; the page is hidden while `window.isAway`.
 */
export const NOTED = `
  window.noted = [];
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, options) { window.noted.push(title + ' / ' + options.body); }
  };
  Object.defineProperty(document, 'hidden', { get: () => window.isAway === true });
`;
