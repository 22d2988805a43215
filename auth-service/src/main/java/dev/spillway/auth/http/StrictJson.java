package dev.spillway.auth.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

/**
 * Strict settings of the JSON reader: one document in UTF-8, each field once and known, each value
 * of its own type.
 */
@Singleton
class StrictJson implements ObjectMapperCustomizer {
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(8)
          .maxNameLength(256)
          .maxNumberLength(32)
          .maxStringLength(64 * 1024)
          .build();

  @Override
  @SuppressWarnings("deprecation") // A mapper that exists takes features in the old way only.
  public void customize(ObjectMapper mapper) {
    mapper.getFactory().setStreamReadConstraints(LIMITS);
    mapper.getFactory().disable(JsonFactory.Feature.CHARSET_DETECTION);
    mapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
    mapper.configure(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION, false);
    mapper.configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false);
    mapper.enable(
        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS);
    mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
    mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }
}
