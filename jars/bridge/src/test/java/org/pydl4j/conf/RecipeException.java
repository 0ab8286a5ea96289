package org.pydl4j.conf;

/** A recipe that this harness cannot follow: its defect or the recipe's, never a refusal by DL4J. */
final class RecipeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RecipeException(String message) {
    super(message);
  }

  RecipeException(String message, Throwable cause) {
    super(message + ": " + cause, cause);
  }
}
