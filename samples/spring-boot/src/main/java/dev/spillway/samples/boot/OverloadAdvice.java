package dev.spillway.samples.boot;

import dev.spillway.hashing.spring.HashingOverloadException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

@ControllerAdvice
class OverloadAdvice {
  @ExceptionHandler
  ResponseEntity<Void> overload(HashingOverloadException e) {
    return ResponseEntity.status(503).header("Retry-After", "" + e.retryAfter().toSeconds()).build();
  }
}
