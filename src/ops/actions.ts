/** The action names of the op `action` (gui-protocol.md 8.1), grouped by the extra key they take. */

/** Actions that take nothing but their name. */
export const PLAIN_ACTIONS = [
  "close_modal",
  "external_change_reload",
  "external_change_overwrite",
  "external_change_save_as",
  "external_change_cancel",
  "pdf_dialog_ok",
  "dialog_ok",
  "close_document",
  "toggle_properties",
  "toggle_layers",
  "toggle_grid",
  "toggle_snap",
  "toggle_ortho",
  "mtext_commit",
  "mtext_cancel",
  "text_commit",
  "view_home",
  "zoom_extents",
  "undo",
  "redo",
] as const;

/** Actions that take `value`, mostly `key` or `key=argument`. */
export const VALUE_ACTIONS = [
  "pdf_layer_toggle",
  "pc_manager_toggle",
  "pc_manager",
  "count_palette",
  "blocks_palette",
  "pdf_page_select",
  "pc_colormap",
  "pc_section",
  "ribbon_tab",
  "ribbon_dropdown",
  "attdef_dialog",
  "field_dialog",
  "sheet_set",
  "mtext_insert",
  "text_input",
] as const;

/** Actions that take `layer`. */
export const LAYER_ACTIONS = [
  "layer_visible",
  "layer_locked",
  "layer_frozen",
  "layer_current",
] as const;

/** Every action name that the table advertises. */
export const ACTION_NAMES: readonly string[] = [
  ...PLAIN_ACTIONS,
  ...VALUE_ACTIONS,
  ...LAYER_ACTIONS,
];
