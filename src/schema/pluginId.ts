/** Form of a plugin's id: a folder's name, the `provider` of a phase and the first word of its tools. */
export const PLUGIN_ID = /^[a-z][a-z0-9-]{0,39}$/;
