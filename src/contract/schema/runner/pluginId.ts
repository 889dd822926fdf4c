/**
 * Form of a plugin's id: a folder's name, the `provider` of a phase and the first word of its
 * tools. `constructor` is the one name of this form that every object has.
 */
export const PLUGIN_ID = /^(?!constructor$)[a-z][a-z0-9-]{0,39}$/;
