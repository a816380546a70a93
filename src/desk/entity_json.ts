/** Entities, layers and the header as serialized properties (gui-protocol.md 8.4). */

import type { Json, JsonObject } from "../host/json.ts";
import type { Header } from "./drawing.ts";
import type { Color, Entity, EntityCommon, Geometry, Layer, Point2, Point3 } from "./entity.ts";
import { handleNumber } from "./handles.ts";

/** A colour by the enum spelling of gui-protocol.md 8.4. */
export function colorJson(color: Color): Json {
  switch (color.kind) {
    case "by_layer":
      return "ByLayer";
    case "by_block":
      return "ByBlock";
    case "index":
      return { Index: color.index };
    case "rgb":
      return { Rgb: { r: color.r, g: color.g, b: color.b } };
  }
}

/** The complete properties of an entity; angles in radians. */
export function entityJson(entity: Entity): JsonObject {
  return { common: commonJson(entity.common), ...geometryJson(entity.geometry) };
}

/** The properties of a layer record. */
export function layerJson(layer: Layer): JsonObject {
  return {
    handle: handleNumber(layer.handle),
    name: layer.name,
    color: colorJson(layer.color),
    is_off: layer.off,
    is_frozen: layer.frozen,
    is_locked: layer.locked,
    is_plottable: layer.plottable,
  };
}

/** The properties of the header. */
export function headerJson(header: Header): JsonObject {
  return {
    current_layer_name: header.currentLayer,
    current_text_style_name: header.textStyle,
    insertion_units: header.insertionUnits,
    point_display_mode: header.pointMode,
    point_display_size: header.pointSize,
    linetype_scale: header.linetypeScale,
    current_entity_linetype_scale: header.entityLinetypeScale,
    text_height: header.textSize,
    fillet_radius: header.filletRadius,
    object_snap_mode: header.snapModes,
    mirror_text: header.mirrorText === 1,
  };
}

function commonJson(common: EntityCommon): JsonObject {
  return {
    handle: handleNumber(common.handle),
    layer: common.layer,
    color: colorJson(common.color),
    line_weight: common.lineWeight,
    linetype: common.linetype,
    linetype_scale: common.linetypeScale,
    transparency: common.transparency,
    color_name: null,
    invisible: common.invisible,
    extended_data: [],
    reactors: [],
    xdictionary_handle: null,
    owner_handle: null,
    full_visual_style_handle: null,
  };
}

const vector = ([x, y, z]: Point3): Json => ({ x, y, z });
const flatVector = ([x, y]: Point2): Json => ({ x, y });

function geometryJson(geometry: Geometry): JsonObject {
  switch (geometry.kind) {
    case "Line":
      return {
        start: vector(geometry.start),
        end: vector(geometry.end),
        thickness: geometry.thickness,
      };
    case "Circle":
      return { center: vector(geometry.center), radius: geometry.radius };
    case "Arc":
      return {
        center: vector(geometry.center),
        radius: geometry.radius,
        start_angle: geometry.startAngle,
        end_angle: geometry.endAngle,
      };
    case "LwPolyline":
      return {
        vertices: geometry.vertices.map((vertex) => ({
          location: flatVector(vertex),
          bulge: 0,
          start_width: geometry.constantWidth,
          end_width: geometry.constantWidth,
        })),
        is_closed: geometry.closed,
        constant_width: geometry.constantWidth,
        elevation: 0,
        thickness: 0,
        normal: vector([0, 0, 1]),
      };
    case "Point":
      return { location: vector(geometry.location) };
    case "Text":
      return {
        value: geometry.value,
        insertion_point: vector(geometry.position),
        height: geometry.height,
        rotation: geometry.rotation,
        style: geometry.style,
      };
    case "MText":
      return {
        value: geometry.value,
        insertion_point: vector(geometry.position),
        height: geometry.height,
        rectangle_width: geometry.width,
        rotation: geometry.rotation,
        style: geometry.style,
      };
    case "Insert":
      return {
        block_name: geometry.block,
        insert_point: vector(geometry.position),
        scale: vector(geometry.scale),
        rotation: geometry.rotation,
        attributes: [],
      };
    case "Solid":
      return { corners: geometry.corners.map(vector) };
    case "Hatch":
      return {
        is_solid: geometry.solid,
        pattern: geometry.pattern,
        pattern_scale: geometry.patternScale,
        pattern_angle: geometry.patternAngle,
        paths: [{ edges: [{ Polyline: { vertices: geometry.boundary.map(flatVector) } }] }],
      };
  }
}
