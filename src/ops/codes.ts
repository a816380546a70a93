/** What to do next about an error code of the editor (gui-protocol.md 2.6). */

/** The next step by code; codes that no agent can act on are left out. */
const NEXT: ReadonlyMap<string, string> = new Map([
  // Transport and envelope
  [
    "busy",
    "Another operation is pending: poll it with the read operation, or cancel it, then try again.",
  ],
  [
    "response_timeout",
    "The editor is slow and may still be working: read operation with this request_id, do not repeat the work.",
  ],
  [
    "disabled",
    "Automation is switched off: ask the person to switch it on in the editor; reads still work.",
  ],
  [
    "protocol_mismatch",
    "Editor and bridge speak different protocols: ask the person to update one of them.",
  ],
  [
    "session_changed",
    "The editor was restarted: call ocs_sessions and read the drawing again; old handles are void.",
  ],
  ["request_id_required", "Send request_id, a string of 1 to 128 bytes."],
  ["request_id_reused", "This request_id belongs to another request: take a new one for new work."],
  [
    "unknown_operation",
    "If the editor lacks the operation, read capabilities for those it has; if you asked about a request_id, it is forgotten: query to see what was done.",
  ],
  ["document_closed", "No document has that id: read state for the documents that are open."],
  // The id, the revision or the selection may be the bridge's default: only a state renews those.
  [
    "document_not_active",
    "Another document is active: read state for which one, or send activate with the id you mean.",
  ],
  ["document_required", "Send document_id; read state for the active one."],
  [
    "stale_state",
    "The drawing moved on: look at state in this answer, decide again, send with the new revision.",
  ],
  [
    "command_busy",
    "A command is waiting and is not yours to answer: read state.command; ask the person, or send cancel.",
  ],
  ["no_document", "The start page is showing: send new or open first."],
  ["selection_changed", "Something else is selected now: read state for what, then decide again."],
  ["unknown_command", "Find the name with the read commands and search."],
  // Arguments in general
  ["invalid_request", "A parameter is missing or empty: compare the request with the op's schema."],
  ["invalid_handle", "Handles are hex strings such as 4C: take them from query."],
  ["invalid_point", "Give a point of finite numbers that lies in the view."],
  ["entity_absent", "That entity is gone: query for the handles that exist."],
  ["handles_required", "Give a non-empty list of handles."],
  ["gui_required", "This needs the editor's window; the session has none."],
  // Files and documents
  ["absolute_path_required", "Give an absolute path."],
  ["path_required", "Give a path: the document has none of its own yet."],
  ["invalid_path", "Give a path with the right extension, .pdf for plots."],
  ["unsupported_format", "Use a path that ends in .dwg or .dxf."],
  [
    "destination_exists",
    "The file exists: choose another path, or overwrite:true when the person agrees.",
  ],
  [
    "document_dirty",
    "Save first, or close with discard:true when the person agrees to lose the changes.",
  ],
  ["invalid_target", "Make target_format, target_version and the path's extension agree."],
  [
    "lossy_conversion_not_acknowledged",
    "The target cannot hold everything: see dropped_on_save; choose a newer version, or allow_lossy:true when the person agrees.",
  ],
  ["audit_failed", "The drawing has errors: see audit, repair them, save again."],
  ["dxf_audit_failed", "The written file is not sound: read audit, repair, save again."],
  ["invalid_dxf_handle_graph", "Handles in the file clash or dangle: read audit for details."],
  [
    "save_failed",
    "The file could not be written: check folder and rights, or choose another path.",
  ],
  ["hash_failed", "The written file could not be read back: check that the folder is readable."],
  [
    "reopen_failed",
    "The written file could not be opened again: do not rely on it; save to another format or version.",
  ],
  ["version_mismatch", "The file has another version than asked for: see requested and actual."],
  [
    "semantic_mismatch",
    "The file differs from the drawing: see before and after; do not rely on it.",
  ],
  ["template_missing", "The template cannot be read: check its path."],
  ["template_failed", "The template is no drawing that the editor can read: choose another."],
  ["wblock_failed", "Check that block or handles name something that can be written."],
  ["plot_failed", "Check path, layout and paper, then plot again."],
  ["plot_style_missing", "No such plot style: leave plot_style out or name an existing one."],
  // Commands, dialogs, picks
  ["no_command", "No command is waiting: send start or run first."],
  [
    "invalid_input",
    "The prompt does not take this: state.command.accepts and input_example say what it does.",
  ],
  ["invalid_space", "space is wcs, ucs or relative."],
  ["no_base_point", "There is no last point to be relative to: give the point in wcs."],
  ["unknown_action", "Use an action name of the schema."],
  ["no_dialog", "No such dialog is open: read state.modal."],
  ["no_tab", "There is no such ribbon tab."],
  ["invalid_state", "The dialog is not at that step: capture the window to see it."],
  ["editor_closed", "The text editor is not open any more."],
  ["bad_value", "The action takes another value: see its form in the schema."],
  ["outside_viewport", "The position lies outside of the viewport: see viewport_size in state."],
  [
    "user_input_busy",
    "A command or dialog is open: finish or cancel it, then ask the person again.",
  ],
  ["interactive_pending", "A pick is open already: poll it, or cancel it."],
  // Properties and records
  ["collection_required", "Name the collection; read capabilities for the list."],
  ["unknown_collection", "Read capabilities for the collections that exist."],
  ["read_only_collection", "This collection cannot be written."],
  ["unknown_record_type", "Read record_schema without type for the list."],
  ["record_absent", "There is no such record: read records for handles and names."],
  [
    "invalid_update",
    "A path, value or expected does not fit: read record_schema and the record's present value.",
  ],
  ["identity_changed", "Handles and names cannot be changed this way."],
  [
    "update_failed",
    "The editor could not apply the update: read record_schema for what the field takes.",
  ],
  ["invalid_filter", "where takes {path, op, value} with a JSON Pointer such as /common/layer."],
  ["invalid_projection", "paths takes JSON Pointers such as /common/layer."],
  ["unknown_property", "Read properties for the ids of this selection."],
  ["readonly_property", "This property cannot be set."],
  ["unsupported_property", "This property cannot be set this way: try set_properties."],
  ["invalid_choice", "Take one of the options that the read properties lists."],
  ["invalid_value", "The value does not fit: see kind and options of the field."],
  ["invalid_color", 'A colour is an index or {"rgb":[r,g,b]}.'],
  ["invalid_lineweight", "Take one of the lineweights that the read properties lists."],
  ["unknown_grip", "Read grips for the ids."],
  ["unknown_sysvar", "The editor has no such variable; an empty drawing has no extents."],
  ["invalid_sysvar_value", "The variable does not take that value: check type and range."],
  ["get_or_set_required", "Give get, set or both."],
  ["invalid_detail", "detail is summary, geometry or full."],
  // Entities, blocks, layers, sheets
  ["entities_required", "Give a non-empty list of entity definitions."],
  ["unknown_entity_type", "This type cannot be created directly: draw it with run."],
  ["invalid_radius", "Give a radius above 0."],
  ["invalid_vertices", "Give at least two vertices [x,y]."],
  ["invalid_boundary", "Give at least three boundary points [x,y]."],
  ["invalid_corners", "Give three or four corners."],
  ["invalid_text", "Give value as a string."],
  ["invalid_scale", "Give a scale other than 0; for sheets a:b with both above 0."],
  ["invalid_action", "action is move, copy, rotate, scale, mirror or array."],
  ["invalid_factor", "Give a finite factor other than 0."],
  ["invalid_axis", "Give two distinct points as axis."],
  ["invalid_bounds", "Give bounds as four finite numbers, the smaller corner first."],
  ["invalid_window", "Give window as four finite numbers."],
  ["window_required", "area window needs window."],
  ["invalid_area", "area is extents, display, limits, layout or window."],
  ["invalid_paper", "The editor does not know this paper: try a common name such as A1."],
  [
    "invalid_xdata",
    "A code and its value do not fit: 1000 takes a string, 1040 a number, 1070 an integer.",
  ],
  ["missing_find", "Give the text to look for as find."],
  ["selection_required", "Give handles or block, or select something first."],
  ["selection_set_missing", "No set of that name was saved in this session."],
  ["block_required", "Name the block to insert."],
  ["block_missing", "There is no such block: read records of block_records."],
  ["block_protected", "Blocks whose name starts with * belong to the editor."],
  [
    "block_failed",
    "The block could not be made: the name may be taken; replace:true redefines it.",
  ],
  ["layer_locked", "The layer is locked: unlock it when the person agrees."],
  ["layer_failed", "The layer could not be made: check its name."],
  ["unknown_layer", "There is no such layer: read layers."],
  ["layout_exists", "A layout of that name exists: use it or choose another name."],
  ["layout_missing", "There is no such layout: read state or records for the names."],
  ["layout_failed", "The layout could not be made: check its name."],
  ["embed_failed", "The picture could not be read: check path and format."],
  ["invalid_calibrate", "calibrate takes point_a, point_b and distance."],
  ["invalid_distance", "Give a distance above 0 between two different points."],
  ["invalid_points", "Give two source_points and two target_points."],
  // The bridge's own
  ["use_capture_tool", "Call ocs_capture."],
]);

/** One sentence on what to do about a code, undefined for a code without advice. */
export function guidanceFor(code: string): string | undefined {
  return NEXT.get(code);
}

/** Every code that has advice. */
export function knownCodes(): readonly string[] {
  return [...NEXT.keys()];
}
