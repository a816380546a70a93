/** What the handshake tells a model about working with the editor (bridge.md 2.5). */

/** Our own words, at most 3 KiB of UTF-8; a test holds the limit. */
export const INSTRUCTIONS = `\
Open CAD Studio, a CAD editor on this machine, driven by four tools: find a session, read, change, look.

Start
1. Call ocs_sessions first. Every other tool wants the session_id of one of its entries as ocs_session_id. With several sessions, ask the person which drawing is meant; never guess.
2. Tell the person once which build you talk to: \`bridge\` on the entry has version, build_rev and build_profile.
3. Before an edit that is new to you, read \`capabilities\`, and \`record_schema\` for the record you want to change. \`commands\` with a name describes a command.

Change
* ocs_execute takes one operation as \`request\` with a fresh \`request_id\` each. Keep document_id, revision and request_id of the answers; send document_id and revision along when what you decided depends on them. \`stale_state\` means that the drawing moved on: read again, decide again.
* Let the editor compute geometry: transforms, offsets, trims, hatches, snaps and measurements are its work, not yours.
* Several steps that belong together go into one \`batch\`. undo takes back one step.
* Save only to a path that the person named, with save_verified where the result matters.

Wait
* \`accepted\`, \`running\` and \`waiting_input\` are not completion. For the first two, read \`operation\` with the same request_id until it is settled.
* After a time-out or a broken connection the outcome is open: read \`operation\` with that request_id. Never send the work again under a new request_id; it would be done twice.
* \`waiting_input\` means that a command or a dialog is open: state.command says what it accepts and shows an example input; answer it with \`input\` or end it with \`cancel\`.
* user_select and getpoint are answered by a person in the editor. Say what you ask for in \`prompt\` and keep polling; minutes are normal.

Check
* Verify with query, measure and ocs_capture rather than from memory. Handles and revisions are void once the editor was restarted.
* ocs_capture shows the view; diff:true says what changed since the last such capture, in pixels and in drawing units. For a large drawing ask for pyramid_manifest and walk it tile by tile instead of one huge picture. pixel_to_world_matrix turns a pixel into drawing coordinates.
* A failed answer carries \`code\` and mostly \`next\`: what to do about it. \`warnings\` name what was ignored.
`;
